import type { JudgedText } from '../../gate/command';
import type { Setting } from './handshake/start-up-options';
import { asciiLowerCase } from './handshake/start-up-settings';
import { identifier, quotedLiteral } from './statement-text';

/** What a client sets at the start, as the statements that set the same. */
export interface StartUpStatements {
  /** In the words of SQL, each as people may write it. */
  readonly judged: readonly JudgedText[];
  /** One statement for each setting; empty where there is none. */
  readonly recorded: string;
}

/** Sent by nearly every client; the session's label. */
const LABEL = 'application_name';

/**
 * The settings of a start-up message. `application_name` is not among them: it is recorded as a label of the session, and
 * a rule that forbids SET would let in no client at all; see `labelStatement`.
 */
export function startUpStatements(settings: readonly Setting[]): StartUpStatements {
  const spelled = settings.filter(([name]) => !isLabel(name)).map(([name, value]) => spellings(name, value));
  return {
    judged: spelled.flat().map((text) => ({ text, as: 'input' })),
    recorded: spelled.map(([usual]) => `${usual};`).join('\n'),
  };
}

/** The label is a value: rules about words and patterns look at it, those about statements do not. */
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

/** The statement, and other ways to write the same that a rule about words may have been written for. */
function spellings(name: string, value: string): [usual: string, ...others: string[]] {
  const [named, values] = [nameInSql(name), valuesInSql(asciiLowerCase(name), value)];
  const special = SPECIAL.get(asciiLowerCase(name));
  const others = special === undefined ? [] : [`SET ${special} ${values}`];
  return [`SET ${named} TO ${values}`, `SET ${named} = ${values}`, ...others];
}

/** Settings that have a syntax of their own. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['role', 'ROLE'],
  ['session_authorization', 'SESSION AUTHORIZATION'],
  ['timezone', 'TIME ZONE'],
]);

/** Words with which the grammar would go another way. */
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
 * Settings that are lists of names: SET takes each name for itself, where the start-up message has one text. The list is
 * PostgreSQL's (`variable_is_guc_list_quote` in fe_utils); extensions cannot add to it. Of names of schemas and
 * tablespaces, what is not quoted is in lower case.
 */
const LISTS: ReadonlyMap<string, 'names' | 'files'> = new Map([
  ['search_path', 'names'],
  ['temp_tablespaces', 'names'],
  ['local_preload_libraries', 'files'],
  ['session_preload_libraries', 'files'],
  ['shared_preload_libraries', 'files'],
  ['unix_socket_directories', 'files'],
]);

/** What is no list is one text here; the server refuses a start with it. */
function valuesInSql(name: string, value: string): string {
  const kind = LISTS.get(name);
  const parts = kind === undefined ? undefined : listParts(value, kind);
  return (parts ?? [value]).map(quotedLiteral).join(', ');
}

const SPACE = String.raw` \t\n\v\f\r`;

/** Source: PostgreSQL, `SplitIdentifierString` and `SplitDirectoriesString` (utils/adt/varlena.c). */
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
