import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { ROOT } from './root';

/**
 * Returns a check that fails a spec if a new version of a dependency changed a private part.
 * @param library name of the npm package, or `node`
 * @param file file that relies on the private part
 * @throws Error if the part differs from the expected one.
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
