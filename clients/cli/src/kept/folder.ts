import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { strictText } from '../../../../src/kernel/text/strict-utf8.js';
import { CommandFault, EXIT } from '../exit-codes.js';

/** Bits of a file's mode: its group, and everybody. */
const OTHERS_WRITE = 0o022;

/** The folder of the command line: `GATEWAY_CONFIG_DIR`, else where the system keeps configuration. */
export function folder(env = process.env): string {
  const own = env['GATEWAY_CONFIG_DIR'];
  if (own !== undefined && own !== '') return own;
  const base =
    process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base ?? homedir(), 'access-gateway');
}

/** The text of a file of the folder; undefined when it is not there. */
export function readKept(name: string): string | undefined {
  try {
    return strictText(readFileSync(join(folder(), name)), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the folder, for its owner alone. @throws CommandFault where others could put files */
export function ownFolder(): string {
  const path = folder();
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode } = statSync(path);
  if (process.platform !== 'win32' && (mode & OTHERS_WRITE) !== 0)
    throw new CommandFault(
      `others may write to ${path}, where sign-ins are kept; correct it with: chmod go-w`,
      EXIT.usage,
    );
  return path;
}

/** Writes a file whole, for its owner alone. */
export function keep(name: string, text: string): void {
  const path = ownFolder();
  // A name that nobody knows, and a new file: nobody can have put one or a link there.
  const unfinished = join(path, `${name}.${randomUUID()}`);
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, join(path, name));
}

export function drop(name: string): void {
  rmSync(join(folder(), name), { force: true });
}
