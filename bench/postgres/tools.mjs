// Finds the programs that this bench runs but that do not come with it.
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of the program, or undefined. Debian keeps its tools of PostgreSQL outside the PATH. */
export function find(program) {
  return folders()
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function folders() {
  const path = (process.env.PATH ?? '').split(delimiter);
  // Debian's folders come first, because /usr/bin holds wrappers of the programs, which start Perl.
  return [...debianFolders(), ...path, '/usr/sbin'];
}

function debianFolders() {
  const base = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(base).toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(base, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
