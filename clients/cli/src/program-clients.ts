import type { Command } from 'commander';
import type { AccessOptions } from './commands/access.js';
import { credentials, psql } from './commands/credentials.js';
import { ssh } from './commands/ssh.js';
import { type ContextOf, type End, wholeNumber } from './parsing.js';

/** Adds the commands that get a credential, and those that start a client program with it. */
export function addClients(program: Command, context: ContextOf, end: End): void {
  const withAccess = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .argument('<connection>')
      .option('--reason <text>', 'why, for reviewers and the recording')
      .option('--duration <seconds>', 'how long the access lasts', wholeNumber)
      .option('--emergency <text>', 'do not wait for an approval: what the emergency is');
  withAccess(
    'credentials',
    'get a credential for a client, after its approval if one is needed; prints the password',
  ).action(async (connection: string, options: AccessOptions, own: Command) =>
    credentials(await context(own), connection, options),
  );
  withAccess('psql', 'start psql at a connection; ends with the exit code of psql')
    .argument('[arguments...]', 'for psql, after --')
    .action(async (connection: string, args: string[], options: AccessOptions, own: Command) =>
      end(await psql(await context(own), connection, args, options)),
    );
  withAccess('ssh', 'start ssh at a connection; ends with the exit code of ssh')
    .argument('[arguments...]', 'a command, or options of ssh; options of gateway stand before <connection>')
    // So that programs which run `ssh <host> <command>` can run `gateway ssh` instead.
    .passThroughOptions()
    .action(async (connection: string, args: string[], options: AccessOptions, own: Command) =>
      end(await ssh(await context(own), connection, args, options)),
    );
}
