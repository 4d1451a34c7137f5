import { type SignInRefusal, signInRefusal } from './refusal';

/** Name and value of a server setting. */
export type Setting = readonly [name: string, value: string];

/**
 * Returns the settings in the start-up parameter `options`, in order. `options` has the form of a server's
 * command line; a client can only set settings with it. The gateway does not forward the text itself, because
 * the target could parse it differently from the gateway. Source: PostgreSQL, `pg_split_opts`
 * (utils/init/postinit.c), `process_postgres_switches` (tcop/postgres.c), getopt.
 * @throws SignInRefusal for switches and values that a server refuses too.
 */
export function settingsOfOptions(options: string): Setting[] {
  const words = wordsOf(options);
  const settings: Setting[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--' && words.length === 0) break;
    if (word === '--' || word === '-' || !word.startsWith('-')) throw invalid(word);
    settings.push(...settingsOfWord(word, () => words.shift()));
  }
  return settings;
}

/** Splits the options into words at ASCII white space. A backslash escapes the next character. */
function wordsOf(options: string): string[] {
  const words = options.match(/(?:\\[^]|[^\\ \t\n\v\f\r]|\\$)+/g) ?? [];
  return words.map((word) => word.replaceAll(/\\([^]?)/g, '$1'));
}

/**
 * Reads a word with one or more switches of one letter each. The first switch that has an argument uses the
 * rest of the word, or the next word.
 */
function settingsOfWord(word: string, nextWord: () => string | undefined): Setting[] {
  const settings: Setting[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const plain = PLAIN_SWITCHES.get(letter);
    if (plain !== undefined) {
      settings.push(...plain);
      continue;
    }
    const argument = word.slice(at + 1) || nextWord();
    const read = argument === undefined ? undefined : SWITCHES_WITH_ARGUMENT.get(letter)?.(argument, letter);
    if (read === undefined) throw invalid(word);
    return [...settings, ...read];
  }
  return settings;
}

/**
 * Settings of switches without an argument. A switch with an empty list has no effect for a client, because
 * it has an effect only on a server's own command line.
 */
const PLAIN_SWITCHES: ReadonlyMap<string, readonly Setting[]> = new Map([
  ['b', []],
  ['E', []],
  ['j', []],
  ['n', []],
  ['T', []],
  ['e', [['datestyle', 'euro']]],
  ['F', [['fsync', 'false']]],
  ['i', [['listen_addresses', '*']]],
  ['l', [['ssl', 'true']]],
  ['O', [['allow_system_table_mods', 'true']]],
  ['P', [['ignore_system_indexes', 'true']]],
  ['s', [['log_statement_stats', 'true']]],
]);

type ReadArgument = (argument: string, letter: string) => readonly Setting[] | undefined;

const nothing: ReadArgument = () => [];
const as =
  (name: string): ReadArgument =>
  (argument) => [[name, argument]];

const SWITCHES_WITH_ARGUMENT: ReadonlyMap<string, ReadArgument> = new Map<string, ReadArgument>([
  ['c', named],
  ['-', named],
  ['C', nothing],
  ['D', nothing],
  ['r', nothing],
  ['v', nothing],
  ['B', as('shared_buffers')],
  ['h', as('listen_addresses')],
  ['k', as('unix_socket_directories')],
  ['N', as('max_connections')],
  ['p', as('port')],
  ['S', as('work_mem')],
  ['W', as('post_auth_delay')],
  ['d', debugging],
  ['f', (argument) => off(PLANS.get(argument.charAt(0)))],
  ['t', (argument) => on(STATISTICS.find(([start]) => argument.startsWith(start))?.[1])],
]);

/** Reads `-c name=value` and `--name=value`. In a name, `-` stands for `_`. */
function named(argument: string, letter: string): readonly Setting[] {
  const [, name, value] = /^([^=]*)=([^]*)$/.exec(argument) ?? [];
  if (name === undefined || value === undefined)
    throw syntaxError(`${letter === '-' ? '--' : '-c '}${argument} requires a value`);
  return [[name.replaceAll('-', '_'), value]];
}

/** Reads `-d level`. */
function debugging(argument: string): readonly Setting[] {
  const level = Number.parseInt(argument, 10) || 0;
  const settings: Setting[] = [['log_min_messages', level > 0 ? `debug${level}` : 'notice']];
  if (level >= 2) settings.push(['log_statement', 'all']);
  if (level >= 3) settings.push(['debug_print_parse', 'true']);
  if (level >= 4) settings.push(['debug_print_plan', 'true']);
  if (level >= 5) settings.push(['debug_print_rewritten', 'true']);
  return settings;
}

/** Plan types that `-f` disables, by the letter in its argument. */
const PLANS: ReadonlyMap<string, string> = new Map([
  ['s', 'enable_seqscan'],
  ['i', 'enable_indexscan'],
  ['o', 'enable_indexonlyscan'],
  ['b', 'enable_bitmapscan'],
  ['t', 'enable_tidscan'],
  ['n', 'enable_nestloop'],
  ['m', 'enable_mergejoin'],
  ['h', 'enable_hashjoin'],
]);

/** Statistics settings of `-t`, by the first letters of its argument. */
const STATISTICS: readonly (readonly [string, string])[] = [
  ['pa', 'log_parser_stats'],
  ['pl', 'log_planner_stats'],
  ['e', 'log_executor_stats'],
];

function off(name: string | undefined): readonly Setting[] | undefined {
  return name === undefined ? undefined : [[name, 'false']];
}

function on(name: string | undefined): readonly Setting[] | undefined {
  return name === undefined ? undefined : [[name, 'true']];
}

function invalid(word: string): SignInRefusal {
  return syntaxError(`invalid command-line argument for server process: ${word}`);
}

function syntaxError(message: string): SignInRefusal {
  return signInRefusal('malformed', '42601', message);
}
