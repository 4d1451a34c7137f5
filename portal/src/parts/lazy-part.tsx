import { Alert, Button, Stack, Text } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { texts } from '../texts';
import { reload } from './held';

/**
 * A part of a page whose code loads when the part is shown. If the code is missing after an upgrade of the
 * gateway, the rest of the page stays.
 */
export function LazyPart({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 'part'} errorComponent={Missing}>
      <Suspense fallback={<Text role="status">{texts.states.loading}</Text>}>{children}</Suspense>
    </CatchBoundary>
  );
}

function Missing() {
  return (
    <Alert color="red" role="alert">
      <Stack gap="xs" align="start">
        <Text>{texts.states.part}</Text>
        <Button size="compact-sm" onClick={reload}>
          {texts.states.reloadNow}
        </Button>
      </Stack>
    </Alert>
  );
}
