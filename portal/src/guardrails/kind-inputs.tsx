import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { LinesInput } from '../parts/lines-input';
import { texts } from '../texts';
import { DETECTORS, FILE_OPERATIONS, STATEMENT_KINDS } from './choices';
import type { Entry } from './guardrail';

const t = texts.guardrails.fields;
const ACCESSES = ['read', 'write', 'any'] as const;

interface Props {
  readonly entry: Entry;
  readonly onChange: (entry: Entry) => void;
}

/** Inputs for the fields that only guardrail entries of this type have. */
export function KindInputs({ entry, onChange }: Props) {
  switch (entry.type) {
    case 'deny_words_list':
      return <WordsInputs entry={entry} onChange={onChange} />;
    case 'pattern_match':
      return (
        <TextInput
          label={t.pattern_regex}
          value={entry.pattern_regex}
          required
          onChange={({ currentTarget }) => onChange({ ...entry, pattern_regex: currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      );
    case 'sql_statement':
      return <StatementInputs entry={entry} onChange={onChange} />;
    case 'shell_command':
      return <CommandInputs entry={entry} onChange={onChange} />;
    case 'file_transfer':
      return <FileInputs entry={entry} onChange={onChange} />;
    case 'detector':
      return (
        <Checkbox.Group
          label={t.detectors}
          value={entry.detectors ?? []}
          onChange={(given) =>
            onChange({ ...entry, detectors: DETECTORS.filter((one) => given.includes(one)) })
          }
        >
          <Group mt={4}>
            {DETECTORS.map((one) => (
              <Checkbox key={one} value={one} label={one} />
            ))}
          </Group>
        </Checkbox.Group>
      );
  }
}

function WordsInputs({ entry, onChange }: Props) {
  return (
    <>
      <LinesInput label={t.words} value={entry.words} onChange={(words) => onChange({ ...entry, words })} />
      <Checkbox
        label={t.case_sensitive}
        checked={entry.case_sensitive ?? false}
        onChange={({ currentTarget }) => onChange({ ...entry, case_sensitive: currentTarget.checked })}
      />
      <Checkbox
        label={t.whole_word}
        checked={entry.whole_word ?? false}
        onChange={({ currentTarget }) => onChange({ ...entry, whole_word: currentTarget.checked })}
      />
    </>
  );
}

function StatementInputs({ entry, onChange }: Props) {
  return (
    <>
      <MultiSelect
        label={t.kinds}
        value={entry.kinds ?? []}
        data={[...STATEMENT_KINDS]}
        onChange={(given) =>
          onChange({ ...entry, kinds: STATEMENT_KINDS.filter((one) => given.includes(one)) })
        }
        searchable
        nothingFoundMessage={texts.guardrails.nothing}
        maxDropdownHeight={240}
      />
      <Checkbox
        label={t.without_where}
        checked={entry.without_where ?? false}
        onChange={({ currentTarget }) => onChange({ ...entry, without_where: currentTarget.checked })}
      />
      <TablesInputs entry={entry} onChange={onChange} />
      <LinesInput
        label={t.functions}
        value={entry.functions ?? []}
        onChange={(functions) => onChange({ ...entry, functions })}
      />
      <NativeSelect
        label={t.unparseable}
        value={entry.unparseable ?? 'refuse'}
        onChange={({ currentTarget }) =>
          onChange({ ...entry, unparseable: currentTarget.value === 'allow' ? 'allow' : 'refuse' })
        }
        data={[
          { value: 'refuse', label: t.refuse },
          { value: 'allow', label: t.allow },
        ]}
      />
    </>
  );
}

function CommandInputs({ entry, onChange }: Props) {
  return (
    <>
      <LinesInput
        label={t.programs}
        value={entry.programs ?? []}
        onChange={(programs) => onChange({ ...entry, programs })}
      />
      <LinesInput
        label={t.program_arguments}
        value={entry.program_arguments ?? []}
        onChange={(given) => onChange({ ...entry, program_arguments: given })}
      />
      <LinesInput
        label={t.redirects_to}
        value={entry.redirects_to ?? []}
        onChange={(given) => onChange({ ...entry, redirects_to: given })}
      />
      <NativeSelect
        label={t.hidden_commands}
        value={entry.hidden_commands ?? 'refuse'}
        onChange={({ currentTarget }) =>
          onChange({ ...entry, hidden_commands: currentTarget.value === 'allow' ? 'allow' : 'refuse' })
        }
        data={[
          { value: 'refuse', label: t.refuse },
          { value: 'allow', label: t.allow },
        ]}
      />
    </>
  );
}

function FileInputs({ entry, onChange }: Props) {
  const { file_bytes_over: bytes, ...others } = entry;
  return (
    <>
      <MultiSelect
        label={t.file_operations}
        value={entry.file_operations ?? []}
        data={[...FILE_OPERATIONS]}
        onChange={(given) =>
          onChange({ ...entry, file_operations: FILE_OPERATIONS.filter((one) => given.includes(one)) })
        }
      />
      <LinesInput
        label={t.file_paths}
        value={entry.file_paths ?? []}
        onChange={(given) => onChange({ ...entry, file_paths: given })}
      />
      <LinesInput
        label={t.file_extensions}
        value={entry.file_extensions ?? []}
        onChange={(given) => onChange({ ...entry, file_extensions: given })}
      />
      <NumberInput
        label={t.file_bytes_over}
        value={bytes ?? ''}
        onChange={(value) => onChange(value === '' ? others : { ...entry, file_bytes_over: Number(value) })}
        allowDecimal={false}
        allowNegative={false}
        hideControls
      />
    </>
  );
}

function TablesInputs({ entry, onChange }: Props) {
  const tables = entry.tables ?? [];
  type Condition = (typeof tables)[number];
  const set = (at: number, changes: Partial<Condition>): void => {
    const before = tables[at];
    if (before !== undefined) onChange({ ...entry, tables: tables.with(at, { ...before, ...changes }) });
  };
  return (
    <Stack gap="xs">
      {tables.map(({ name, access }, at) => (
        <Group key={at} align="end">
          <TextInput
            label={`${t.table} ${at + 1}`}
            placeholder="public.salaries"
            value={name}
            onChange={({ currentTarget }) => set(at, { name: currentTarget.value })}
            flex={1}
            miw={160}
          />
          <NativeSelect
            label={`${t.access} ${at + 1}`}
            value={access}
            onChange={({ currentTarget }) =>
              set(at, { access: ACCESSES.find((one) => one === currentTarget.value) ?? 'any' })
            }
            data={ACCESSES.map((value) => ({ value, label: texts.guardrails.accesses[value] }))}
          />
          <Button
            variant="default"
            onClick={() => onChange({ ...entry, tables: tables.toSpliced(at, 1) })}
            aria-label={`${t.removeTable} ${at + 1}`}
          >
            {t.removeTable}
          </Button>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          onClick={() => onChange({ ...entry, tables: [...tables, { name: '', access: 'any' }] })}
        >
          {t.addTable}
        </Button>
      </Group>
    </Stack>
  );
}
