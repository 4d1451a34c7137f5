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
    // An exclusion is about the whole input.
    expect(await search('null r1499 -r0')).toEqual([]);
    expect(await search('null r1499 -bulk')).toEqual([]);
  });
});
