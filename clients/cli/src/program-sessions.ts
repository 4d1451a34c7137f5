import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SessionQuery } from '@access-gateway/client';
import {
  type ReplayOptions,
  type TailOptions,
  download,
  list,
  replay,
  tail,
  verify,
  verifyFile,
} from './commands/sessions.js';
import { type ContextOf, type End, wholeNumber } from './parsing.js';

interface ListOptions {
  readonly user?: string;
  readonly connection?: string;
  readonly status?: 'open' | 'ready' | 'done';
  readonly verb?: 'connect' | 'exec';
  readonly since?: string;
  readonly until?: string;
  readonly search?: string;
  readonly limit: number;
}

/** `gateway sessions …` */
export function addSessions(program: Command, context: ContextOf, end: End): void {
  const sessions = program.command('sessions').description('list, follow, replay and verify sessions');
  sessions
    .command('list')
    .description('list sessions, newest first')
    .option('--user <person>', 'id or e-mail')
    .option('--connection <name>')
    .addOption(new Option('--status <status>').choices(['open', 'ready', 'done']))
    .addOption(new Option('--verb <verb>').choices(['connect', 'exec']))
    .option('--since <time>', 'RFC 3339')
    .option('--until <time>', 'RFC 3339')
    .option('--search <words>', 'words of the recorded input')
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action(async ({ limit, ...options }: ListOptions, command: Command) =>
      list(await context(command), queryOf(options), limit),
    );
  sessions
    .command('tail')
    .description('follow a session to its end')
    .argument('<id>')
    .addOption(new Option('--events <types>', 'i: input, o: output, e: errors').default('ioe'))
    .action(async (id: string, options: TailOptions, command: Command) =>
      tail(await context(command), id, options),
    );
  sessions
    .command('replay')
    .description('play a session with its pauses')
    .argument('<id>')
    .option('--speed <factor>', 'how many times faster', factor, 1)
    .option('--idle <seconds>', 'no pause is longer', factor, 5)
    .action(async (id: string, options: ReplayOptions, command: Command) =>
      replay(await context(command), id, options),
    );
  sessions
    .command('download')
    .description('save a recording')
    .argument('<id>')
    .argument('<file>', '- for standard output')
    .option('--format <extension>', 'txt, csv, json, cast or evidence', 'txt')
    .action(async (id: string, to: string, { format }: { format: string }, command: Command) =>
      download(await context(command), id, { format, to }),
    );
  sessions
    .command('verify')
    .description('ask the gateway whether a recording is as it was sealed')
    .argument('<id>')
    .action(async (id: string, _: object, command: Command) => end(await verify(await context(command), id)));
  sessions
    .command('verify-file')
    .description('verify a file of evidence, without a gateway')
    .argument('[arguments...]', 'the file, and --public-keys, --chain-hash, --secret-key-file')
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[]) => end(await verifyFile(args)));
}

function queryOf({ since, until, search, ...same }: Omit<ListOptions, 'limit'>): SessionQuery {
  return {
    ...same,
    ...(since === undefined ? {} : { start_date: since }),
    ...(until === undefined ? {} : { end_date: until }),
    ...(search === undefined ? {} : { q: search }),
  };
}

function factor(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 1_000_000)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}
