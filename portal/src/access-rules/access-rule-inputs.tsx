import { Checkbox, Fieldset, NativeSelect, NumberInput, Stack, TextInput, Textarea } from '@mantine/core';
import { useAttributeNames, useConnectionChoices, useGroupNames } from '../api/choices';
import { NamesInput } from '../parts/names-input';
import { lengthOf } from '../parts/lengths';
import { texts } from '../texts';
import type { Draft } from './access-rule';

const t = texts.accessRules;
const TYPES = ['jit', 'command', 'jit_command'] as const;

interface Props {
  readonly draft: Draft;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** The input fields of an access rule. */
export function AccessRuleInputs({ draft, onChange }: Props) {
  const { access_max_duration: seconds } = draft;
  const attributes = useAttributeNames();
  const connections = useConnectionChoices();
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
      <Fieldset legend={t.covers}>
        <Stack>
          <NativeSelect
            label={t.type}
            value={draft.access_type}
            onChange={({ currentTarget }) =>
              onChange({ access_type: TYPES.find((type) => type === currentTarget.value) ?? 'jit' })
            }
            data={TYPES.map((value) => ({ value, label: t.types[value] }))}
          />
          <NamesInput
            label={t.connections}
            description={t.connectionsExplained}
            value={draft.connection_names}
            known={connections.map(({ name }) => name)}
            onChange={(connection_names) => onChange({ connection_names })}
          />
          <NamesInput
            label={t.attributes}
            description={t.attributesExplained}
            value={draft.attributes}
            known={attributes}
            onChange={(names) => onChange({ attributes: names })}
          />
          <NumberInput
            label={t.duration}
            description={t.durationExplained(seconds === null ? undefined : lengthOf(seconds))}
            value={seconds ?? ''}
            onChange={(value) => onChange({ access_max_duration: value === '' ? null : Number(value) })}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
          <Checkbox
            label={t.reason}
            checked={draft.reason_required}
            onChange={({ currentTarget }) => onChange({ reason_required: currentTarget.checked })}
          />
        </Stack>
      </Fieldset>
      <ApprovalInputs draft={draft} onChange={onChange} />
    </Stack>
  );
}

function ApprovalInputs({ draft, onChange }: Props) {
  const groups = useGroupNames();
  return (
    <Fieldset legend={t.approval}>
      <Stack>
        <NamesInput
          label={t.reviewers}
          value={draft.reviewers_groups}
          known={groups}
          onChange={(reviewers_groups) => onChange({ reviewers_groups })}
        />
        <NumberInput
          label={t.minimum}
          value={draft.min_approvals ?? ''}
          onChange={(value) => onChange({ min_approvals: value === '' ? null : Number(value) })}
          allowDecimal={false}
          allowNegative={false}
        />
        <NamesInput
          label={t.required}
          value={draft.approval_required_groups}
          known={groups}
          onChange={(approval_required_groups) => onChange({ approval_required_groups })}
        />
        <Checkbox
          label={t.all}
          checked={draft.all_groups_must_approve}
          onChange={({ currentTarget }) => onChange({ all_groups_must_approve: currentTarget.checked })}
        />
        <NamesInput
          label={t.force}
          value={draft.force_approval_groups}
          known={groups}
          onChange={(force_approval_groups) => onChange({ force_approval_groups })}
        />
        <NamesInput
          label={t.skip}
          description={t.skipExplained}
          value={draft.skip_review_groups}
          known={groups}
          onChange={(skip_review_groups) => onChange({ skip_review_groups })}
        />
      </Stack>
    </Fieldset>
  );
}
