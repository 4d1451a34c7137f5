import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/** Views of the whole server, and what limits a statement to one database or one session. */
const OF_THE_SERVER = /\b(?:FROM|JOIN) pg_(?:stat_activity|locks)\b[^`'"]*(?:'[^'`]*'[^'`"]*)*/g;
const LIMITED = /\bdatname\b|\bdatabase = |\bpid = |\busename = /;

/** These look at a server of their own, or for a text that no other test has. */
const ALONE = ['test/recording/standby.kills-spec.ts', 'test/client/command-line/scripts.clients-spec.ts'];

/**
 * All workers have their databases on one server: a statement that sees those
 * of others counts what is not its own.
 */
describe('statements about sessions and locks of the server', () => {
  const files = ['test', 'src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => (folder === 'test' ? file.endsWith('.ts') : file.endsWith('.spec.ts'))),
  );

  it('name the database, the role or the session that they are about', () => {
    const found = files.flatMap((file) =>
      (readFileSync(join(ROOT, file), 'utf8').match(OF_THE_SERVER) ?? []).map((text) => ({ file, text })),
    );
    expect(found.length).toBeGreaterThan(10);
    const unlimited = found.filter(({ file, text }) => !LIMITED.test(text) && !ALONE.includes(file));
    expect(unlimited).toEqual([]);
  });
});
