import {
  Checkbox,
  Fieldset,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
  Textarea,
} from '@mantine/core';
import { type Kind, useAttributeNames, useGroupNames } from '../api/choices';
import { api } from '../api/client';
import { NamesInput } from '../parts/names-input';
import { texts } from '../texts';
import type { Draft } from './connection';
import { PolicyInputs } from './policy-inputs';
import { SecretInputs } from './secret-inputs';
import { KeyedTags } from './tags-input';

const t = texts.adminConnections;
/** The access switches that a kind of connection supports. */
function switchesOf(kind: Kind) {
  return [
    ...(kind.client_endpoint === null ? [] : (['access_mode_connect'] as const)),
    ...(kind.runs_scripts ? (['access_mode_exec'] as const) : []),
    ...(kind.lists_tables ? (['access_schema'] as const) : []),
  ];
}

const RECORDING_MODES = ['journal', 'journal+fsync', 'store'] as const;

interface Props {
  readonly kind: Kind;
  readonly draft: Draft;
  /** Names of the secret fields that have a stored value; empty for a new connection. */
  readonly stored: readonly string[];
  readonly auth?: string;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** The input fields of a connection, except for its kind. */
export function ConnectionInputs({ kind, draft, stored, auth, onChange }: Props) {
  return (
    <Stack>
      <TextInput
        label={t.name}
        value={draft.name}
        required
        disabled={stored.length > 0}
        description={stored.length > 0 ? t.nameStays : undefined}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Textarea
        label={t.description}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        autosize
      />
      <TextInput
        label={t.resource}
        value={draft.resource_name}
        onChange={({ currentTarget }) => onChange({ resource_name: currentTarget.value })}
      />
      <SecretInputs
        kind={kind}
        draft={draft}
        stored={stored}
        onChange={onChange}
        {...(auth === undefined ? {} : { auth })}
      />
      <AccessInputs kind={kind} draft={draft} onChange={onChange} />
      {draft.mcp_policy !== null && (
        <PolicyInputs policy={draft.mcp_policy} onChange={(mcp_policy) => onChange({ mcp_policy })} />
      )}
      <RecordingInputs draft={draft} onChange={onChange} />
      <KeyedTags tags={draft.connection_tags} onChange={(connection_tags) => onChange({ connection_tags })} />
    </Stack>
  );
}

type PartProps = Pick<Props, 'draft' | 'onChange'>;

function AccessInputs({ kind, draft, onChange }: PartProps & Pick<Props, 'kind'>) {
  const groups = useGroupNames();
  const attributes = useAttributeNames();
  const guardrails = api.useQuery('get', '/guardrails').data?.data ?? [];
  const unknown = draft.guardrail_rules.filter((id) => !guardrails.some((one) => one.id === id));
  return (
    <Fieldset legend={t.access}>
      <Stack>
        <NamesInput
          label={t.groups}
          description={t.groupsExplained}
          value={draft.access_groups}
          known={['*', ...groups]}
          onChange={(access_groups) => onChange({ access_groups })}
        />
        <NamesInput
          label={t.emergencyGroups}
          description={t.emergencyGroupsExplained}
          value={draft.emergency_access_groups}
          known={groups}
          onChange={(names) => onChange({ emergency_access_groups: names })}
        />
        {switchesOf(kind).map((name) => (
          <Checkbox
            key={name}
            label={t.switches[name]}
            checked={draft[name] === 'enabled'}
            onChange={({ currentTarget }) =>
              onChange({ [name]: currentTarget.checked ? 'enabled' : 'disabled' })
            }
          />
        ))}
        <NamesInput
          label={t.attributes}
          description={t.attributesExplained}
          value={draft.attributes}
          known={attributes}
          onChange={(names) => onChange({ attributes: names })}
        />
        <MultiSelect
          label={t.guardrails}
          value={draft.guardrail_rules}
          data={[...guardrails.map(({ id, name }) => ({ value: id, label: name })), ...unknown]}
          onChange={(guardrail_rules) => onChange({ guardrail_rules })}
          searchable
          nothingFoundMessage={t.nothing}
        />
      </Stack>
    </Fieldset>
  );
}

function RecordingInputs({ draft, onChange }: PartProps) {
  return (
    <Fieldset legend={t.recording}>
      <Stack>
        <NativeSelect
          label={t.scope}
          value={draft.recording}
          onChange={({ currentTarget }) =>
            onChange({ recording: currentTarget.value === 'on' ? 'on' : 'input-only' })
          }
          data={[
            { value: 'on', label: t.scopes.on },
            { value: 'input-only', label: t.scopes.input },
          ]}
        />
        <NativeSelect
          label={t.mode}
          description={t.modeExplained}
          value={draft.recording_mode ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ recording_mode: RECORDING_MODES.find((mode) => mode === currentTarget.value) ?? null })
          }
          data={[{ value: '', label: t.ofGateway }, ...RECORDING_MODES]}
        />
        <NumberInput
          label={t.retention}
          description={t.retentionExplained}
          value={draft.retention_days ?? ''}
          onChange={(value) => onChange({ retention_days: value === '' ? null : Number(value) })}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
        <Checkbox
          label={t.results}
          checked={draft.record_results}
          onChange={({ currentTarget }) => onChange({ record_results: currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}
