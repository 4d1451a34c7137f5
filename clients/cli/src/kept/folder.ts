import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
    return readFileSync(join(folder(), name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file whole, for its owner alone. */
export function keep(name: string, text: string): void {
  const path = folder();
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  const unfinished = join(path, `${name}.${process.pid}`);
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, join(path, name));
}

export function drop(name: string): void {
  rmSync(join(folder(), name), { force: true });
}
