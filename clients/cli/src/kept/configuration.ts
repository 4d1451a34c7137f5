import { CommandFault, EXIT } from '../exit-codes.js';
import { keep, readKept } from './folder.js';

/** Values that the last sign-in stored. None is secret. */
export interface Configuration {
  readonly url: string;
  /** Address of the API; undefined: not known yet. */
  readonly api?: string;
}

const FILE = 'config.json';

/** @throws CommandFault when the file is malformed */
export function readConfiguration(): Configuration | undefined {
  const text = readKept(FILE);
  if (text === undefined) return undefined;
  try {
    const { url, api } = JSON.parse(text) as { url?: unknown; api?: unknown };
    if (typeof url !== 'string') return undefined;
    return typeof api === 'string' && api.startsWith(`${new URL(url).origin}/`) ? { url, api } : { url };
  } catch {
    throw new CommandFault(`${FILE} is not JSON`, EXIT.usage);
  }
}

export function keepConfiguration(configuration: Configuration): void {
  keep(FILE, `${JSON.stringify(configuration, null, 2)}\n`);
}
