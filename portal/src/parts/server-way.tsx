import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ComponentProps, type ComponentType, type RefObject, useRef, useState } from 'react';
import { usePerson } from '../shell/person';
import { useHeld } from './held';
import { LazyPart } from './lazy-part';
import { LinkEnded } from './link-ended';
import type { LinkEnd, ServerPlace } from './server-link';
import { useUnsaved } from './unsaved';

/** Properties of a screen on a server, which opens its link when mounted and closes it when unmounted. */
export interface ServerScreenProps extends ServerPlace {
  readonly onEnd: (end: LinkEnd) => void;
  /** Takes the focus when the person leaves the screen by keyboard. */
  readonly next: RefObject<HTMLButtonElement | null>;
}

interface Props {
  readonly connection: string;
  /** Name under which the typed reason is kept. */
  readonly heldAs: string;
  readonly Screen: ComponentType<ServerScreenProps>;
  /** Whether the page asks before it is left while the screen is open. */
  readonly asksBeforeLeaving?: boolean;
  readonly texts: ComponentProps<typeof LinkEnded>['texts'] & {
    readonly reason: string;
    readonly open: string;
    readonly close: string;
    readonly explained: string;
  };
}

/** A screen on a server. A button opens it, because its session is recorded under the name of the person. */
export function ServerWay({ connection, heldAs, Screen, asksBeforeLeaving = false, texts: t }: Props) {
  const { id: person } = usePerson();
  const [reason, setReason] = useHeld(heldAs, () => '');
  /** Number of screens that were opened so far. */
  const [count, setCount] = useState(0);
  const [opened, setOpened] = useState<{ readonly number: number; readonly reason: string }>();
  const [ended, setEnded] = useState<{ readonly number: number; readonly end: LinkEnd }>();
  const button = useRef<HTMLButtonElement>(null);
  // The link of a closed screen ends a little later. That is no news, and the next screen may be open by then.
  const end = ended?.number === opened?.number ? ended?.end : undefined;
  const isOpen = opened !== undefined && end === undefined;
  useUnsaved(isOpen && asksBeforeLeaving, true);
  const open = (): void => {
    setCount(count + 1);
    setOpened({ number: count + 1, reason });
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
          <Screen
            key={opened.number}
            connection={connection}
            person={person}
            reason={opened.reason}
            onEnd={(linkEnd) => setEnded({ number: opened.number, end: linkEnd })}
            next={button}
          />
        </LazyPart>
      )}
      {end !== undefined && <LinkEnded end={end} texts={t} />}
    </Stack>
  );
}
