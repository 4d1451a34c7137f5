import { Badge, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Said } from '../parts/said';
import { meta } from '../shell/meta';
import { texts } from '../texts';
import { type Result, type Scope, useResults } from './results';
import classes from './search-dialog.module.css';

const t = texts.search;
const PAUSE_MS = 200;

interface Props {
  readonly scope: Scope;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/**
 * Searches everything that the person may see, and opens the chosen result. The focus stays in the text field
 * (combobox with a listbox, WAI-ARIA 1.2).
 */
export default function SearchDialog({ scope, opened, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.title}
      size="lg"
      closeButtonProps={{ 'aria-label': texts.actions.cancel }}
      // No animation, so that the field has the focus before the next key after Ctrl-K.
      transitionProps={{ duration: 0 }}
    >
      <Searching scope={scope} onClose={onClose} />
    </Modal>
  );
}

function Searching({ scope, onClose }: Omit<Props, 'opened'>) {
  const [typed, setTyped] = useState('');
  const [looked] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { found, isLooking, isFailed, isPartial } = useResults(looked, scope);
  const [chosen, setChosen] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const { history } = useRouter();
  const id = useId();
  const active = Math.min(chosen, found.length - 1);
  const optionId = (at: number): string => `${id}-${at}`;
  // The results belong to the earlier text until the user has paused typing and a new search has run.
  const isCurrent = looked === typed.trim();
  useEffect(() => {
    document.querySelector(`#${CSS.escape(`${id}-${active}`)}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const open = (result: Result | undefined): void => {
    if (result === undefined) return;
    onClose();
    history.push(`${meta('base')}${result.path}`);
  };
  // A fast typist presses Enter before the results arrive, so Enter waits for them.
  useEffect(() => {
    if (!isEntered || !isCurrent || isLooking) return;
    setEntered(false);
    open(found[active]);
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const moves: Partial<Record<string, number>> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(active + 5, last),
      PageUp: Math.max(active - 5, 0),
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setChosen(Math.max(to, 0));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      setEntered(true);
    }
  };
  return (
    <Stack>
      <TextInput
        label={t.label}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={found.length > 0}
        {...(found.length === 0 ? {} : { 'aria-controls': id, 'aria-activedescendant': optionId(active) })}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        data-autofocus
      />
      <Text role="status" size="sm">
        {isLooking || !isCurrent ? t.looking : t.found(found.length)} {isFailed && t.failed}{' '}
        {isPartial && t.partial}
      </Text>
      {found.length > 0 && (
        <ul id={id} role="listbox" aria-label={t.results} className={classes['list']}>
          {found.map((result, at) => (
            // The keyboard is handled by the field, which keeps the focus.
            <li
              key={`${result.kind} ${result.path}`}
              id={optionId(at)}
              role="option"
              aria-selected={at === active}
              className={classes['option']}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => open(result)}
            >
              <Group justify="space-between" gap="xs">
                <Said text={result.label} />
                <Badge variant="default">{t.kinds[result.kind]}</Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
