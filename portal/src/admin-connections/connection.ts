import type { Kind } from '../api/choices';
import type { components } from '../api/schema';

type Schemas = components['schemas'];
export type Connection = Schemas['ConnectionView'];
export type Checked = Schemas['CheckedConnectionView'];
export type ConnectionBody = Schemas['ConnectionBody'];
export type PatchBody = Schemas['ConnectionPatchBody'];
export type Subtype = Connection['subtype'];
export type McpPolicy = NonNullable<Schemas['McpPolicyView']>;
export type CatalogEntry = Schemas['CatalogEntryView'];

/** Fields that a form changes besides the name and the secret. */
const FIELDS = [
  'description',
  'connection_tags',
  'attributes',
  'guardrail_rules',
  'access_groups',
  'emergency_access_groups',
  'access_mode_connect',
  'access_mode_exec',
  'access_mode_runbooks',
  'access_schema',
  'resource_name',
  'recording',
  'recording_mode',
  'retention_days',
  'record_results',
] as const;
type Fields = Required<Pick<Connection, (typeof FIELDS)[number]>>;

/** A connection in the form, with the input that the user has typed so far. */
export interface Draft extends Fields {
  readonly name: string;
  readonly type: Connection['type'];
  readonly subtype: Subtype;
  /** Secret fields that the user typed, with their values. The other secret fields are not sent. */
  readonly secret: Readonly<Record<string, string>>;
  /** Names of stored secret fields to remove. */
  readonly removed: readonly string[];
  readonly mcp_policy: McpPolicy | null;
}

const FREE_POLICY: McpPolicy = {
  tools: { allowed: [], denied: [], approval: [] },
  resources: { allowed: [], denied: [] },
  prompts: { allowed: [], denied: [] },
  new_tools: 'allow',
  server_requests: [],
  calls_per_minute: null,
  result_bytes: null,
  streams: null,
};

export function newDraft({ type, subtype, has_mcp_policy: hasPolicy }: Kind): Draft {
  return {
    name: '',
    type,
    subtype,
    description: '',
    secret: {},
    removed: [],
    connection_tags: {},
    attributes: [],
    guardrail_rules: [],
    access_groups: [],
    emergency_access_groups: [],
    access_mode_connect: 'enabled',
    access_mode_exec: 'enabled',
    access_mode_runbooks: 'enabled',
    access_schema: 'enabled',
    resource_name: '',
    recording: 'on',
    recording_mode: null,
    retention_days: null,
    record_results: false,
    mcp_policy: hasPolicy ? FREE_POLICY : null,
  };
}

export function draftOf(connection: Connection): Draft {
  const { name, type, subtype, mcp_policy: policy = null, recording_mode: mode = null } = connection;
  return {
    ...fieldsOf({ ...connection, recording_mode: mode }),
    name,
    type,
    subtype,
    secret: {},
    removed: [],
    mcp_policy: policy,
  };
}

function fieldsOf(from: Fields): Fields {
  return Object.fromEntries(FIELDS.map((field) => [field, from[field]])) as unknown as Fields;
}

const typed = (secret: Draft['secret']): Record<string, string> =>
  Object.fromEntries(Object.entries(secret).filter(([name, value]) => name !== '' && value !== ''));

/** Whether a value of the secret was typed. */
export const hasSecret = ({ secret }: Draft): boolean => Object.keys(typed(secret)).length > 0;

/** The part of a draft that may be stored in the browser. */
export const withoutSecret = (draft: Draft): Draft => ({
  ...draft,
  secret: Object.fromEntries(Object.keys(draft.secret).map((name) => [name, ''])),
});

/** Builds the body for a new connection. With `catalog`, the gateway fills omitted fields from that entry. */
export function bodyOf(draft: Draft, catalog?: string): ConnectionBody {
  const policy = draft.mcp_policy === null ? {} : { mcp_policy: draft.mcp_policy };
  const secret = typed(draft.secret);
  return {
    ...fieldsOf(draft),
    ...policy,
    name: draft.name,
    type: draft.type,
    subtype: draft.subtype,
    secret,
    ...(catalog === undefined ? {} : { catalog }),
  };
}

/** Returns the changed fields and the typed secret fields. The gateway does not change other fields. */
export function changesOf(base: Connection, draft: Draft): PatchBody {
  const before = draftOf(base);
  const isSame = (field: keyof Draft): boolean =>
    JSON.stringify(before[field]) === JSON.stringify(draft[field]);
  const fields = Object.fromEntries(
    FIELDS.filter((field) => !isSame(field)).map((field) => [field, draft[field]]),
  );
  const secret = typed(draft.secret);
  return {
    ...fields,
    ...(isSame('mcp_policy') ? {} : { mcp_policy: draft.mcp_policy }),
    ...(Object.keys(secret).length === 0 ? {} : { secret }),
  };
}

/**
 * Returns the whole connection without the secret fields that the user removed. Secret fields that the user
 * did not touch are sent empty, so that the gateway keeps their stored values.
 */
export function replacementOf(base: Connection, draft: Draft): ConnectionBody {
  const kept = Object.keys(base.secret).filter((name) => !draft.removed.includes(name));
  const secret = { ...Object.fromEntries(kept.map((name) => [name, ''])), ...typed(draft.secret) };
  return { ...bodyOf(draft), secret };
}
