import type { components } from '@access-gateway/client';
import { z } from 'zod';

type Schemas = components['schemas'];
type Entry = Schemas['RuleEntryBody'];
type Shape<Body> = Readonly<Record<keyof Body, z.ZodType>>;
/** A guardrail in a file. It lists connections by name, because ids differ between gateways. */
type GuardrailInFile = Omit<Schemas['GuardrailBody'], 'connection_ids'> & {
  readonly connection_names: readonly string[];
};
/**
 * Policy fields of a connection. The other fields, such as the secret, describe how to reach the target and
 * do not belong in files.
 */
type ConnectionInFile = Pick<
  Schemas['ConnectionPatchBody'],
  | 'name'
  | 'attributes'
  | 'access_groups'
  | 'emergency_access_groups'
  | 'access_mode_connect'
  | 'access_mode_exec'
  | 'access_mode_runbooks'
  | 'access_schema'
  | 'recording'
  | 'recording_mode'
  | 'retention_days'
  | 'record_results'
>;

/** Accepts any text. The gateway, which may be newer than this program, checks the value. */
const choice = <T extends string>() => z.custom<T>((value) => typeof value === 'string', 'must be a text');
const texts = z.array(z.string());

/** An entry of a guardrail. `satisfies` makes the compiler report an API field that is missing here. */
const entry = z.strictObject({
  type: choice<Entry['type']>(),
  words: texts.default([]),
  pattern_regex: z.string().default(''),
  name: z.string().exactOptional(),
  message: z.string().exactOptional(),
  case_sensitive: z.boolean().exactOptional(),
  whole_word: z.boolean().exactOptional(),
  kinds: z.array(choice<NonNullable<Entry['kinds']>[number]>()).exactOptional(),
  without_where: z.boolean().exactOptional(),
  tables: z
    .array(
      z.strictObject({
        name: z.string(),
        access: choice<Schemas['TableConditionBody']['access']>(),
      } satisfies Shape<Schemas['TableConditionBody']>),
    )
    .exactOptional(),
  functions: texts.exactOptional(),
  unparseable: choice<NonNullable<Entry['unparseable']>>().exactOptional(),
  programs: texts.exactOptional(),
  program_arguments: texts.exactOptional(),
  redirects_to: texts.exactOptional(),
  hidden_commands: choice<NonNullable<Entry['hidden_commands']>>().exactOptional(),
  file_operations: z.array(choice<NonNullable<Entry['file_operations']>[number]>()).exactOptional(),
  file_paths: texts.exactOptional(),
  file_extensions: texts.exactOptional(),
  file_bytes_over: z.int().exactOptional(),
  detectors: z.array(choice<NonNullable<Entry['detectors']>[number]>()).exactOptional(),
  action: choice<NonNullable<Entry['action']>>().exactOptional(),
  keep_last: z.int().exactOptional(),
  arguments: texts.exactOptional(),
} satisfies Shape<Entry>);

export const ENTRY_FIELDS: readonly string[] = Object.keys(entry.shape);

const ruleSet = z.strictObject({ rules: z.array(entry) } satisfies Shape<Schemas['RuleSetBody']>);

export const attribute = z.strictObject({ name: z.string(), description: z.string().default('') });

export const guardrail = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  input: ruleSet.default({ rules: [] }),
  output: ruleSet.default({ rules: [] }),
  attributes: texts.default([]),
  connection_names: texts.default([]),
} satisfies Shape<GuardrailInFile>);

export const accessRule = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  access_type: choice<Schemas['AccessRuleBody']['access_type']>(),
  access_max_duration: z.int().nullable().default(null),
  all_groups_must_approve: z.boolean().default(false),
  approval_required_groups: texts.default([]),
  reviewers_groups: texts.default([]),
  force_approval_groups: texts.default([]),
  skip_review_groups: texts.default([]),
  min_approvals: z.int().nullable().default(null),
  reason_required: z.boolean().default(false),
  attributes: texts.default([]),
  connection_names: texts.default([]),
} satisfies Shape<Schemas['AccessRuleBody']>);

/** A connection in a file. Only the fields that the file contains are compared and changed. */
export const connection = z.strictObject({
  name: z.string(),
  attributes: texts.exactOptional(),
  access_groups: texts.exactOptional(),
  emergency_access_groups: texts.exactOptional(),
  access_mode_connect: choice<'enabled' | 'disabled'>().exactOptional(),
  access_mode_exec: choice<'enabled' | 'disabled'>().exactOptional(),
  access_mode_runbooks: choice<'enabled' | 'disabled'>().exactOptional(),
  access_schema: choice<'enabled' | 'disabled'>().exactOptional(),
  recording: choice<NonNullable<ConnectionInFile['recording']>>().exactOptional(),
  recording_mode: choice<NonNullable<ConnectionInFile['recording_mode']>>().nullable().exactOptional(),
  retention_days: z.int().nullable().exactOptional(),
  record_results: z.boolean().exactOptional(),
} satisfies Shape<ConnectionInFile>);

/** Fields whose order does not matter. */
export const SETS: ReadonlySet<string> = new Set([
  'attributes',
  'connection_names',
  'access_groups',
  'emergency_access_groups',
  'approval_required_groups',
  'reviewers_groups',
  'force_approval_groups',
  'skip_review_groups',
] satisfies (
  | keyof z.infer<typeof guardrail>
  | keyof z.infer<typeof accessRule>
  | keyof z.infer<typeof connection>
)[]);
