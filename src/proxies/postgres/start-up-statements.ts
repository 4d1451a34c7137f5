import type { JudgedText } from '../../gate/command';
import type { Setting } from './handshake/start-up-options';
import { asciiLowerCase } from './handshake/start-up-settings';
import { identifier, quotedLiteral } from './commands/statement-text';

/** The settings of a start-up message as SQL statements. */
export interface StartUpStatements {
  /** The statements in every spelling that a word rule may contain. */
  readonly judged: readonly JudgedText[];
  /** One statement for each setting; empty if there are no settings. */
  readonly recorded: string;
}

/** Setting that nearly every client sends. Its value becomes the session's label. */
const LABEL = 'application_name';

/**
 * Returns the SET statements of a start-up message. Leaves out `application_name`, because otherwise a rule
 * that forbids SET would refuse nearly every client. It is recorded as the session's label; see
 * `labelStatement`.
 */
export function startUpStatements(settings: readonly Setting[]): StartUpStatements {
  const spelled = settings.filter(([name]) => !isLabel(name)).map(([name, value]) => spellings(name, value));
  return {
    judged: spelled.flat().map((text) => ({ text, as: 'input' })),
    recorded: spelled.map(([usual]) => `${usual};`).join('\n'),
  };
}

/** Returns the label for judging as a value: word and pattern rules apply to it, statement rules do not. */
export function labelStatement(settings: readonly Setting[]): JudgedText | undefined {
  const label = labelOf(settings);
  return label === undefined ? undefined : { text: `SET ${LABEL} TO ${quotedLiteral(label)}`, as: 'value' };
}

export function labelOf(settings: readonly Setting[]): string | undefined {
  return settings.findLast(([name]) => isLabel(name))?.[1];
}

function isLabel(name: string): boolean {
  return asciiLowerCase(name) === LABEL;
}

/** Returns the usual SET statement, and its other spellings that a word rule may contain. */
function spellings(name: string, value: string): [usual: string, ...others: string[]] {
  const [named, values] = [nameInSql(name), valuesInSql(asciiLowerCase(name), value)];
  const special = SPECIAL.get(asciiLowerCase(name));
  const others = special === undefined ? [] : [`SET ${special} ${values}`];
  return [`SET ${named} TO ${values}`, `SET ${named} = ${values}`, ...others];
}

/** Settings that have their own SET syntax. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['role', 'ROLE'],
  ['session_authorization', 'SESSION AUTHORIZATION'],
  ['timezone', 'TIME ZONE'],
]);

/** Words that have another meaning directly after SET. A setting with such a name is quoted. */
const TAKEN_WORDS = new Set(['all', 'default', 'local', 'names', 'session', 'time', 'transaction', 'user']);

function nameInSql(name: string): string {
  const isPlain = (part: string): boolean =>
    /^[a-z_]\w*$/i.test(part) && !TAKEN_WORDS.has(part.toLowerCase());
  return name
    .split('.')
    .map((part) => (isPlain(part) ? part : identifier(part)))
    .join('.');
}

/**
 * Settings whose value is a list of names. SET takes each name as a separate value, but the start-up message
 * contains one text. The list is PostgreSQL's (`variable_is_guc_list_quote` in fe_utils); extensions cannot
 * add to it. `names`: unquoted names of schemas and tablespaces are folded to lower case.
 */
const LISTS: ReadonlyMap<string, 'names' | 'files'> = new Map([
  ['search_path', 'names'],
  ['temp_tablespaces', 'names'],
  ['local_preload_libraries', 'files'],
  ['session_preload_libraries', 'files'],
  ['shared_preload_libraries', 'files'],
  ['unix_socket_directories', 'files'],
]);

/** Writes a value in SQL. A malformed list becomes a single text; the server will refuse it. */
function valuesInSql(name: string, value: string): string {
  const kind = LISTS.get(name);
  const parts = kind === undefined ? undefined : listParts(value, kind);
  return (parts ?? [value]).map(quotedLiteral).join(', ');
}

const SPACE = String.raw` \t\n\v\f\r`;

/**
 * Splits a list like `SplitIdentifierString` and `SplitDirectoriesString` of PostgreSQL
 * (utils/adt/varlena.c).
 */
function listParts(value: string, kind: 'names' | 'files'): string[] | undefined {
  const unquoted = kind === 'names' ? `[^,"${SPACE}][^,${SPACE}]*` : `[^,"${SPACE}](?:[^,]*[^,${SPACE}])?`;
  const part = new RegExp(`[${SPACE}]*(?:"((?:[^"]|"")*)"|(${unquoted}))[${SPACE}]*(,|$)`, 'y');
  const parts: string[] = [];
  for (;;) {
    const [, inQuotes, plain = '', end] = part.exec(value) ?? [];
    if (end === undefined) return undefined;
    const bare = kind === 'names' ? asciiLowerCase(plain) : plain;
    parts.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (end === '') return parts;
  }
}
