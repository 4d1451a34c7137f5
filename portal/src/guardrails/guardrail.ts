import type { components } from '../api/schema';
import { withoutEmpty } from '../parts/lines-input';

type Schemas = components['schemas'];
export type Guardrail = Schemas['GuardrailView'];
export type CheckedGuardrail = Schemas['CheckedGuardrailView'];
export type GuardrailBody = Schemas['GuardrailBody'];
export type Entry = Schemas['RuleEntryBody'];
export type EntryKind = Entry['type'];
export type Direction = 'input' | 'output';

/** The directions (input, output) in which each type of guardrail entry may be used. */
const DIRECTIONS: Readonly<Record<EntryKind, readonly Direction[]>> = {
  deny_words_list: ['input', 'output'],
  pattern_match: ['input', 'output'],
  sql_statement: ['input'],
  shell_command: ['input'],
  file_transfer: ['input'],
  detector: ['output'],
};

/** Returns the types of guardrail entries that may be used in a direction. */
export function kindsOf(direction: Direction): readonly EntryKind[] {
  const kinds = Object.keys(DIRECTIONS) as readonly EntryKind[];
  return kinds.filter((kind) => DIRECTIONS[kind].includes(direction));
}

/** A guardrail in the form, with the input that the user has typed so far. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly string[];
  readonly connection_ids: readonly string[];
  readonly input: readonly Entry[];
  readonly output: readonly Entry[];
}

export const NEW_DRAFT: Draft = {
  name: '',
  description: '',
  attributes: [],
  connection_ids: [],
  input: [],
  output: [],
};

/** Creates a guardrail entry. Copies the fields that all types of entries have from `before`. */
export function entryOf(type: EntryKind, before?: Entry): Entry {
  const { name, message, action, keep_last: last, arguments: pointers } = before ?? {};
  return {
    type,
    words: [],
    pattern_regex: '',
    ...(name === undefined ? {} : { name }),
    ...(message === undefined ? {} : { message }),
    ...(action === undefined ? {} : { action }),
    ...(last === undefined ? {} : { keep_last: last }),
    ...(pointers === undefined ? {} : { arguments: pointers }),
  };
}

export function draftOf({ name, description, attributes, connection_ids, input, output }: Guardrail): Draft {
  return { name, description, attributes, connection_ids, input: input.rules, output: output.rules };
}

export function bodyOf(draft: Draft): GuardrailBody {
  return {
    name: draft.name,
    description: draft.description,
    attributes: [...draft.attributes],
    connection_ids: [...draft.connection_ids],
    input: { rules: draft.input.map(asGiven) },
    output: { rules: draft.output.map(asGiven) },
  };
}

/** Removes empty fields and empty lines from an entry. */
function asGiven({
  words,
  name,
  message,
  kinds,
  tables,
  functions,
  programs,
  program_arguments: programArguments,
  redirects_to: paths,
  file_operations: operations,
  file_paths: filePaths,
  file_extensions: extensions,
  detectors,
  arguments: pointers,
  ...others
}: Entry): Entry {
  const lines = (list: readonly string[] | undefined): string[] => withoutEmpty(list ?? []);
  return {
    ...others,
    words: lines(words),
    ...(name === undefined || name === '' ? {} : { name }),
    ...(message === undefined || message === '' ? {} : { message }),
    ...(kinds === undefined || kinds.length === 0 ? {} : { kinds }),
    ...(tables === undefined || tables.length === 0 ? {} : { tables }),
    ...(lines(functions).length === 0 ? {} : { functions: lines(functions) }),
    ...(lines(programs).length === 0 ? {} : { programs: lines(programs) }),
    ...(lines(programArguments).length === 0 ? {} : { program_arguments: lines(programArguments) }),
    ...(lines(paths).length === 0 ? {} : { redirects_to: lines(paths) }),
    ...(operations === undefined || operations.length === 0 ? {} : { file_operations: operations }),
    ...(lines(filePaths).length === 0 ? {} : { file_paths: lines(filePaths) }),
    ...(lines(extensions).length === 0 ? {} : { file_extensions: lines(extensions) }),
    ...(detectors === undefined || detectors.length === 0 ? {} : { detectors }),
    ...(lines(pointers).length === 0 ? {} : { arguments: lines(pointers) }),
  };
}
