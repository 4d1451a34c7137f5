import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { lazy, useRef, useState } from 'react';
import { useHeld } from '../parts/held';
import { LazyPart } from '../parts/lazy-part';
import { LinkEnded } from '../parts/link-ended';
import { patiently } from '../parts/patiently';
import type { LinkEnd } from '../parts/server-link';
import { usePerson } from '../shell/person';
import { texts } from '../texts';

const FilesScreen = lazy(patiently(() => import('./files-screen')));
const t = texts.files;

/** The files of a server. A button opens them, because the session is recorded under the name of the person. */
export function FilesWay({ name }: { readonly name: string }) {
  const { id: person } = usePerson();
  const [reason, setReason] = useHeld('files reason', () => '');
  /** The sessions that were opened so far; the last one is shown. */
  const [opened, setOpened] = useState<{ readonly count: number; readonly reason: string }>();
  const [end, setEnd] = useState<LinkEnd>();
  const count = useRef(0);
  const isOpen = opened !== undefined && end === undefined;
  const open = (): void => {
    setEnd(undefined);
    setOpened({ count: (count.current += 1), reason });
  };
  return (
    <Stack>
      <Group align="end">
        <TextInput
          label={t.reason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          disabled={isOpen}
          flex={1}
          miw={200}
        />
        <Button variant={isOpen ? 'default' : 'filled'} onClick={isOpen ? () => setOpened(undefined) : open}>
          {isOpen ? t.close : t.open}
        </Button>
      </Group>
      <Text size="sm">{t.explained}</Text>
      {opened !== undefined && (
        <LazyPart>
          <FilesScreen
            key={opened.count}
            connection={name}
            person={person}
            reason={opened.reason}
            onEnd={setEnd}
          />
        </LazyPart>
      )}
      {end !== undefined && <LinkEnded end={end} texts={t} />}
    </Stack>
  );
}
