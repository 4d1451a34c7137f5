import type { Command } from 'commander';
import { type KeyAddOptions, type KeyListOptions, addKey, listKeys, removeKey } from './commands/keys.js';
import type { ContextOf } from './parsing.js';

/** `gateway keys …` */
export function addKeys(program: Command, context: ContextOf): void {
  const keys = program.command('keys').description('keep the public keys by which you sign in over SSH');
  keys
    .command('list')
    .description('list your public keys')
    .option('--user <person>', 'those of another: id or e-mail; for auditors and admins')
    .action(async (options: KeyListOptions, command: Command) => listKeys(await context(command), options));
  keys
    .command('add')
    .description('register a public key')
    .argument('<file>', 'the .pub file (- for standard input)')
    .option('--name <name>', 'its name; without it, the comment of the key')
    .option('--expires <time>', 'when it expires, such as 2027-01-31T08:00:00Z')
    .action(async (file: string, options: KeyAddOptions, command: Command) =>
      addKey(await context(command), file, options),
    );
  keys
    .command('remove')
    .description('remove a public key, and end its sessions')
    .argument('<key>', 'its id, or the name of one of yours')
    .action(async (key: string, _: object, command: Command) => removeKey(await context(command), key));
}
