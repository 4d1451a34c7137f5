import { Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts';
import { withNames } from './hidden-characters';
import { Said } from './said';

/** A page with its title, which is also the title of the browser tab. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${withNames(title)} · ${texts.product}`;
  }, [title]);
  return (
    <Stack gap="md">
      <Title order={1} size="h2">
        <Said text={title} />
      </Title>
      {children}
    </Stack>
  );
}
