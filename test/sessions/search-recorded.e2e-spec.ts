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
});
