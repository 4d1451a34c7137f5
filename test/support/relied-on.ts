import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { ROOT } from './root';

/**
 * Fails a spec if a new version of a dependency changed a private part.
 * @param library as npm names it, or `node`
 * @param file the one that relies on the part
 * @throws Error if the part differs from what is expected.
 */
export function reliedOn(
  library: string,
  file: string,
): (part: string, seen: unknown, expected: unknown) => void {
  const version = library === 'node' ? process.version : versionOf(library);
  return (part, seen, expected) => {
    if (isDeepStrictEqual(seen, expected)) return;
    throw new Error(
      `${library} ${version} changed a private part that ${file} relies on (${part}): it is ${inspect(seen)}, not ${inspect(expected)}`,
    );
  };
}

function versionOf(library: string): string {
  const file = join(ROOT, 'node_modules', library, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
