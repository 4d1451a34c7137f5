import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { texts } from '../texts';

interface Props {
  /** The action of the button, and of its dialog. */
  readonly label: string;
  /** The object of the action. It distinguishes several buttons with the same label. */
  readonly of?: string;
  /** Name with which the field begins. */
  readonly first?: string;
  readonly disabled: boolean;
  readonly onName: (name: string) => Promise<void>;
}

/** A button for an action that needs a name of a file or a folder. It asks for the name. */
export function NameButton({ label, of, first = '', disabled, onName }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const [name, setName] = useState(first);
  const isName = name !== '' && name !== first && !name.includes('/');
  const give = (): void => {
    close();
    void onName(name);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={disabled}
        onClick={() => {
          setName(first);
          open();
        }}
        {...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` })}
      >
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={label}
        closeButtonProps={{ 'aria-label': texts.actions.cancel }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isName) give();
          }}
        >
          <Stack>
            <TextInput
              label={texts.files.name}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              data-autofocus
            />
            <Group>
              <Button variant="default" onClick={close}>
                {texts.actions.cancel}
              </Button>
              <Button type="submit" disabled={!isName}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
