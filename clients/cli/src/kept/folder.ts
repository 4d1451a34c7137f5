import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { strictText } from '../../../../src/kernel/text/strict-utf8.js';
import { CommandFault, EXIT } from '../exit-codes.js';

/** Mode bits that let the group and all other users write. */
const OTHERS_WRITE = 0o022;

/** Folder of the command line: `GATEWAY_CONFIG_DIR`, or the system's folder for configuration. */
export function folder(env = process.env): string {
  const own = env['GATEWAY_CONFIG_DIR'];
  if (own !== undefined && own !== '') return own;
  const base =
    process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
  return join(base ?? homedir(), 'access-gateway');
}

/** Returns the text of a file in the folder; undefined when the file does not exist. */
export function readKept(name: string): string | undefined {
  try {
    return strictText(readFileSync(join(folder(), name)), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the folder for its owner alone. @throws CommandFault when other users can write to it */
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

/** Writes a file atomically, for its owner alone. @param mode 0700 for a program */
export function keep(name: string, text: string, mode: 0o600 | 0o700 = 0o600): void {
  const path = ownFolder();
  // Nobody can put a file or link at this path in advance, because the name is random and the file is new.
  const unfinished = join(path, `${name}.${randomUUID()}`);
  writeFileSync(unfinished, text, { mode, flag: 'wx' });
  renameSync(unfinished, join(path, name));
}

export function drop(name: string): void {
  rmSync(join(folder(), name), { force: true });
}
