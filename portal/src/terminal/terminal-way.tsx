import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { lazy, useRef, useState } from 'react';
import { useHeld } from '../parts/held';
import { LazyPart } from '../parts/lazy-part';
import { LinkEnded } from '../parts/link-ended';
import { patiently } from '../parts/patiently';
import type { LinkEnd } from '../parts/server-link';
import { useUnsaved } from '../parts/unsaved';
import { usePerson } from '../shell/person';
import { texts } from '../texts';

const TerminalScreen = lazy(patiently(() => import('./terminal-screen')));
const t = texts.terminal;

/** A shell in the page. A button opens it, because its session is recorded under the name of the person. */
export function TerminalWay({ name }: { readonly name: string }) {
  const { id: person } = usePerson();
  const [reason, setReason] = useHeld('terminal reason', () => '');
  /** The terminals that were opened so far; the last one is shown. */
  const [opened, setOpened] = useState<{ readonly count: number; readonly reason: string }>();
  const [end, setEnd] = useState<LinkEnd>();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = opened !== undefined && end === undefined;
  useUnsaved(isOpen, true);
  const open = (): void => {
    setEnd(undefined);
    setOpened({ count: (opened?.count ?? 0) + 1, reason });
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
        <Button
          ref={button}
          variant={isOpen ? 'default' : 'filled'}
          onClick={isOpen ? () => setOpened(undefined) : open}
        >
          {isOpen ? t.close : t.open}
        </Button>
      </Group>
      <Text size="sm">{t.explained}</Text>
      {opened !== undefined && (
        <LazyPart>
          <TerminalScreen
            key={opened.count}
            connection={name}
            person={person}
            reason={opened.reason}
            onEnd={setEnd}
            next={button}
          />
        </LazyPart>
      )}
      {end !== undefined && <LinkEnded end={end} texts={t} />}
    </Stack>
  );
}
