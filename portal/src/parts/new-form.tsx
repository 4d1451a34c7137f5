import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChangeFault } from './change';

interface Props {
  /** The label of the button. */
  readonly action: string;
  readonly isPending: boolean;
  /** Fault of the last try. */
  readonly fault: unknown;
  readonly onCreate: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

/** The frame of a form that creates something. */
export function NewForm({ action, isPending, fault, onCreate, children }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCreate();
      }}
      noValidate
    >
      <Stack>
        {children}
        <ChangeFault fault={fault} />
        <Group>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
