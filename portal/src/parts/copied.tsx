import { Code, Group, Stack, Text } from '@mantine/core';
import { texts } from '../texts';
import { CopyButton } from './copy-button';
import { Said } from './said';

/** Text to copy elsewhere, with its label and a copy button. */
export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          <Said text={label} />
        </Text>
        <CopyButton size="compact-xs" action={texts.actions.copy} label={label} textOf={() => text} />
      </Group>
      <Code block tabIndex={0}>
        <Said text={text} />
      </Code>
    </Stack>
  );
}
