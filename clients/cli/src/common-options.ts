import { type Command, Option } from 'commander';
import type { Format } from './shown/output.js';

/** Options of every command that uses a gateway. */
export interface CommonOptions {
  readonly url?: string;
  readonly output?: Format;
  readonly tokenFile?: string;
}

const HEADING = 'Options of every command:';

/** Adds the options to each command, so that they work at any position and appear in each help text. */
export function addCommonOptions(command: Command): void {
  for (const option of [
    new Option('--url <address>', 'the gateway; else GATEWAY_URL, else that of the last sign-in'),
    new Option('--token-file <file>', 'a token or an API key, instead of the sign-in (- for standard input)'),
    new Option('--output <format>', 'how results are shown').choices(['table', 'json']),
  ])
    command.addOption(option.helpGroup(HEADING));
  for (const one of command.commands) if (!WITHOUT.has(one.name())) addCommonOptions(one);
}

/** Commands without these options: they use no gateway, and `verify-file` passes its arguments on. */
const WITHOUT: ReadonlySet<string> = new Set(['completion', 'verify-file']);

/** Merges the options; one after the command overrides one before it. commander itself does the opposite. */
export function commonOptionsOf(command: Command | null): CommonOptions {
  return command === null ? {} : { ...commonOptionsOf(command.parent), ...command.opts<CommonOptions>() };
}
