import { Button, Fieldset, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { LinesInput } from '../parts/lines-input';
import { texts } from '../texts';
import { type Direction, type Entry, entryOf, kindsOf } from './guardrail';
import { KindInputs } from './kind-inputs';

const t = texts.guardrails;

interface Props {
  readonly direction: Direction;
  readonly entries: readonly Entry[];
  readonly onChange: (entries: readonly Entry[]) => void;
}

/** Inputs for the guardrail entries of one direction: input or output. */
export function EntriesInputs({ direction, entries, onChange }: Props) {
  const set = (at: number, entry: Entry): void => onChange(entries.with(at, entry));
  return (
    <Fieldset legend={t.directions[direction]}>
      <Stack>
        {entries.map((entry, at) => (
          <EntryInputs
            key={at}
            place={at}
            direction={direction}
            entry={entry}
            onChange={(changed) => set(at, changed)}
            onRemove={() => onChange(entries.toSpliced(at, 1))}
          />
        ))}
        <Group>
          <Button variant="default" onClick={() => onChange([...entries, entryOf('deny_words_list')])}>
            {t.add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

interface EntryProps {
  readonly place: number;
  readonly direction: Direction;
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
  readonly onRemove: () => void;
}

function EntryInputs({ place, direction, entry, onChange, onRemove }: EntryProps) {
  const kinds = kindsOf(direction);
  return (
    <Fieldset legend={t.entry(place)}>
      <Stack>
        <Group align="end">
          <NativeSelect
            label={t.kind}
            value={entry.type}
            onChange={({ currentTarget }) =>
              onChange(entryOf(kinds.find((kind) => kind === currentTarget.value) ?? entry.type, entry))
            }
            data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
          />
          <TextInput
            label={t.fields.name}
            value={entry.name ?? ''}
            onChange={({ currentTarget }) => onChange({ ...entry, name: currentTarget.value })}
            flex={1}
            miw={180}
          />
          <Button variant="default" onClick={onRemove} aria-label={`${t.remove}: ${t.entry(place)}`}>
            {t.remove}
          </Button>
        </Group>
        <KindInputs entry={entry} onChange={onChange} />
        <TextInput
          label={t.fields.message}
          value={entry.message ?? ''}
          onChange={({ currentTarget }) => onChange({ ...entry, message: currentTarget.value })}
        />
        {direction === 'input' ? (
          <LinesInput
            label={t.fields.arguments}
            value={entry.arguments ?? []}
            onChange={(lines) => onChange({ ...entry, arguments: lines })}
          />
        ) : (
          <ActionInputs entry={entry} onChange={onChange} />
        )}
      </Stack>
    </Fieldset>
  );
}

function ActionInputs({ entry, onChange }: Pick<EntryProps, 'entry' | 'onChange'>) {
  const choose = (action: string): void => {
    const { keep_last: _kept, ...others } = entry;
    onChange(action === 'mask' ? { ...entry, action } : { ...others, action: 'block' });
  };
  return (
    <Group align="end">
      <NativeSelect
        label={t.fields.action}
        description={entry.action === 'mask' ? t.fields.maskHolds : undefined}
        value={entry.action ?? 'block'}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: 'block', label: t.fields.block },
          { value: 'mask', label: t.fields.mask },
        ]}
      />
      {entry.action === 'mask' && (
        <NumberInput
          label={t.fields.keep_last}
          value={entry.keep_last ?? 0}
          onChange={(value) => onChange({ ...entry, keep_last: Number(value) })}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
      )}
    </Group>
  );
}
