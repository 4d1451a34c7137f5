import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { ChangeFault } from './change';
import { Said } from './said';

interface Props {
  /** The action of the button, for example “Delete the user”. */
  readonly label: string;
  /** Explains what will be lost. */
  readonly explained: string;
  readonly isPending: boolean;
  /** The error of the last try. The dialog shows it, and stays open. */
  readonly fault: unknown;
  /** The object of the action. It also distinguishes several buttons with the same label. */
  readonly of?: string;
  /** Further facts in the dialog, for the user who confirms. */
  readonly children?: ReactNode;
  /** Performs the action, then calls `done` to close the dialog. */
  readonly onSure: (done: () => void) => void;
  /** Called when the user cancels the dialog. */
  readonly onLeft?: () => void;
}

/** A button for an action that cannot be undone. It asks for confirmation. */
export function SureButton({
  label,
  explained,
  isPending,
  fault,
  of,
  children,
  onSure,
  onLeft = () => undefined,
}: Props) {
  const [opened, { open, close }] = useDisclosure();
  const leave = (): void => {
    close();
    onLeft();
  };
  return (
    <>
      <Button
        size="compact-sm"
        color="red"
        variant="outline"
        onClick={open}
        {...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` })}
      >
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={leave}
        title={label}
        size="lg"
        closeButtonProps={{ 'aria-label': texts.actions.cancel }}
      >
        <Stack>
          {of !== undefined && (
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              <Said text={of} />
            </Text>
          )}
          <Text>{explained}</Text>
          {children}
          <ChangeFault fault={fault} />
          <Group>
            <Button variant="default" onClick={leave} data-autofocus>
              {texts.actions.cancel}
            </Button>
            <Button color="red" loading={isPending} onClick={() => onSure(close)}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
