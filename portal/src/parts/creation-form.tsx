import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChangeFault } from './change';

interface Props {
  /** Label of the form and of its button. */
  readonly action: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  /** Fault of the last try. */
  readonly fault: unknown;
  readonly onCreate: () => void;
  /** Shows what was created, below the fields. */
  readonly made?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form above a list, which creates an entry of the list. The browser checks the required fields. */
export function CreationForm({ action, isPending, isDisabled, fault, onCreate, made, children }: Props) {
  return (
    <form
      aria-label={action}
      onSubmit={(event) => {
        event.preventDefault();
        onCreate();
      }}
    >
      <Stack maw={560}>
        {children}
        <ChangeFault fault={fault} />
        {made}
        <Group>
          <Button type="submit" loading={isPending} disabled={isDisabled ?? false}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
