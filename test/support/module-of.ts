import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from './root';

const SOURCE = join(ROOT, 'src');
const MODULE_FILE = /^([\w-]+)\.module\.ts$/;
const known = new Map<string, string | undefined>();

/**
 * Returns the module of a file in `src`: the module of the nearest parent folder with one `*.module.ts`. If
 * there is none, returns the name of the file's folder.
 * @param file Path below `src`.
 */
export function moduleOf(file: string): string {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const name = moduleIn(folder);
    if (name !== undefined) return name;
  }
  return basename(dirname(file));
}

function moduleIn(folder: string): string | undefined {
  if (!known.has(folder)) {
    const names = folderEntries(folder).flatMap((entry) => MODULE_FILE.exec(entry)?.[1] ?? []);
    known.set(folder, names.length === 1 ? names[0] : undefined);
  }
  return known.get(folder);
}

/** Returns the entries of a folder; none if it does not exist, because some tests make up folder names. */
function folderEntries(folder: string): string[] {
  try {
    return readdirSync(join(SOURCE, folder));
  } catch {
    return [];
  }
}
