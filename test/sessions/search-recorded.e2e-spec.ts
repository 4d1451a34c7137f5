import { EntityManager } from 'typeorm';
import { sessionsWith } from '../../src/sessions/search/session-words';
import { readTextQuery } from '../../src/sessions/search/text-query';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';

/**
 * A script can be found by its words, because the recorder stores them together with the recording.
 */
describeDataPath('a script that was run', ({ path }) => {
  const search = async (q: string, person: 'admin' | 'alice' | 'bob' = 'admin'): Promise<string[]> =>
    (
      await path.gateway.call(person, 'GET', `/sessions?${new URLSearchParams({ q }).toString()}`)
    ).body.data.map(({ id }: { id: string }) => id);

  it('is found by its words, by those who may read it', async () => {
    const { body } = await path.run(`SELECT name AS "Kontonummer", 42 FROM public.customers`, {}, 'alice');
    const id = body.session_id as string;
    await eventually('it is found', async () => (await search('kontonummer')).includes(id));
    expect(await search('"name as kontonummer" public.cust* -orders')).toEqual([id]);
    expect(await search('kontonummer', 'alice')).toEqual([id]);
    expect(await search('kontonummer', 'bob')).toEqual([]);
    // The search finds words of inputs, not of output.
    expect(await search('Edsger')).toEqual([]);
  });

  // promises: SEARCH-1
  it('is found by each phrase, also with a word that is in it a thousand times', async () => {
    const rows = Array.from({ length: 1_500 }, (_, row) => `(null, 'r${row}')`);
    const { body } = await path.run(`SELECT count(*) FROM (VALUES ${rows.join(', ')}) AS bulk`);
    const id = body.session_id as string;
    await eventually('it is found', async () => (await search('bulk r1')).includes(id));
    for (const row of [0, 100, 253, 254, 255, 256, 257, 408, 409, 410, 1_000, 1_499])
      expect([row, await search(`"null r${row}"`)]).toEqual([row, [id]]);
    expect(await search('"r1498 null r1499"')).toEqual([id]);
    expect(await search('r0 r1499 -r1500')).toEqual([id]);
    // An exclusion (`-word`) applies to the whole input, not only to one of its stored parts.
    expect(await search('null r1499 -r0')).toEqual([]);
    expect(await search('null r1499 -bulk')).toEqual([]);
  });

  it('counts once for each of its parts, also with a word that each part has thousands of times', async () => {
    const parts = Array.from({ length: 25 }, (_, part) => `part${part} ${'nil '.repeat(8_000)}`);
    const { body } = await path.run(`SELECT 1 /* frequent ${parts.join('')} */`);
    expect(body).toMatchObject({ output_status: 'success' });
    const id = body.session_id as string;
    await eventually('it is found', async () => (await search('frequent nil')).includes(id));
    const [org] = await path.gateway.database.query<{ id: string; rows: number }>(
      'SELECT org_id AS id, count(*)::int AS rows FROM session_texts WHERE session_id = $1 GROUP BY org_id',
      [id],
    );
    expect(org?.rows).toBeGreaterThan(1_000);
    const found = (q: string) =>
      path.gateway.app
        .get(EntityManager)
        .transaction((db) =>
          sessionsWith(db, org?.id ?? '', { from: undefined, to: undefined }, readTextQuery(q)),
        );
    // `found` must return ids. If it returned `many`, a search would scan the whole list of sessions.
    for (const q of ['nil', 'NIL ni*', 'nil -another']) expect([q, await found(q)]).toEqual([q, [id]]);
    expect(await found('"nil nil"')).toBe('many');
  });
});
