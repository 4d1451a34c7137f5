import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/** Matches queries of server-wide views. `LIMITED` matches conditions on one database, role or session. */
const OF_THE_SERVER = /\b(?:FROM|JOIN) pg_(?:stat_activity|locks)\b[^`'"]*(?:'[^'`]*'[^'`"]*)*/g;
const LIMITED = /\bdatname\b|\bdatabase = |\bpid = |\busename = /;

/** Specs that have their own server, or search for a text that no other test uses. */
const ALONE = ['test/recording/standby.kills-spec.ts', 'test/client/command-line/scripts.clients-spec.ts'];

/**
 * All workers share one database server. A query of a server-wide view must be limited, otherwise it counts
 * sessions and locks of other tests too.
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
