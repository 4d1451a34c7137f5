import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');

/**
 * Matches code that connects a node-postgres client, or gets one from a pool. A pool does not listen for
 * errors of a client while the client is in use.
 */
const CONNECTS = /await\s+[\w.]*(?:[cC]lient|pool)\.connect\(\)|\bclient\.connect\(\)/;
const LISTENS = /\.on(?:ce)?\(\s*'error'/;

describe('connections to a database that are lost', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  const connecting = files.filter((file) => CONNECTS.test(readFileSync(join(SOURCE, file), 'utf8')));

  it('are told by an event that ends the process where nobody listens', () => {
    const deaf = connecting.filter((file) => !LISTENS.test(readFileSync(join(SOURCE, file), 'utf8')));
    expect({ known: connecting.length > 5, deaf }).toEqual({ known: true, deaf: [] });
  });
});
