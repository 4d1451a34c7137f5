import { Stack, TextInput, Textarea } from '@mantine/core';
import { useAttributeNames } from '../api/choices';
import { NamesInput } from '../parts/names-input';
import { texts } from '../texts';
import { ConnectionsInput } from './connections-input';
import { EntriesInputs } from './entry-inputs';
import type { Draft } from './guardrail';

const t = texts.guardrails;

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** The input fields of a guardrail. */
export function GuardrailInputs({ draft, onChange }: Props) {
  const attributes = useAttributeNames();
  return (
    <Stack>
      <TextInput
        label={t.name}
        value={draft.name}
        required
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Textarea
        label={t.description}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        autosize
      />
      <ConnectionsInput
        ids={draft.connection_ids}
        onChange={(connection_ids) => onChange({ connection_ids })}
      />
      <NamesInput
        label={t.attributes}
        description={t.attributesExplained}
        value={draft.attributes}
        known={attributes}
        onChange={(names) => onChange({ attributes: names })}
      />
      <EntriesInputs direction="input" entries={draft.input} onChange={(input) => onChange({ input })} />
      <EntriesInputs direction="output" entries={draft.output} onChange={(output) => onChange({ output })} />
    </Stack>
  );
}
