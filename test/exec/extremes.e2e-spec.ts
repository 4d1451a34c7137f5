import { describeGateway } from '../support/describe';
import { connect, freshTarget } from '../support/target';

describeGateway('what nobody expects of a script', ({ gateway, begin }) => {
  const target = begin(freshTarget, (database) => database.drop());
  let connectionId: string;

  const run = async (script: string) =>
    (await gateway.call('admin', 'POST', '/sessions', { connection: 'extreme', script })).body;
  const read = async (id: string, query = '') =>
    (await gateway.call('admin', 'GET', `/sessions/${id}${query}`)).body;

  beforeAll(async () => {
    connectionId = await connect(gateway, target, 'extreme');
  });

  it('a row larger than can be recorded fails the script, and nothing else', async () => {
    const done = await run(`SELECT repeat('x', 100000000)`);
    expect(done).toMatchObject({
      output_status: 'failed',
      exit_code: 1,
      output: expect.stringContaining('larger than 16 MiB and cannot be recorded'),
    });
    expect(await read(done.session_id)).toMatchObject({ status: 'done', exit_code: 1 });
    expect(await run('SELECT 1 AS alive')).toMatchObject({ output: 'alive\n1\n' });
  });

  it('a row just below the limit is recorded whole, in small events', async () => {
    const done = await run(`SELECT repeat('é', 3000000) AS long`);
    expect(done).toMatchObject({ output_status: 'success', truncated: true });
    const file = await gateway.call('admin', 'GET', `/sessions/${done.session_id}?extension=txt`);
    expect(file.text).toBe(`long\n${'é'.repeat(3_000_000)}\n`);
    const { event_stream } = await read(done.session_id, '?expand=event_stream&events=o');
    expect(event_stream.length).toBeGreaterThan(40);
  });

  it.each([
    ['a binary cursor', 'BEGIN; DECLARE c BINARY CURSOR FOR SELECT 4111111111111111::int8; FETCH ALL FROM c'],
    ['a binary cursor of text', "BEGIN; DECLARE c BINARY CURSOR FOR SELECT 'secret'::text; FETCH ALL FROM c"],
    ['COPY in binary form', "COPY (SELECT 'secret'::text) TO STDOUT (FORMAT binary)"],
    ['COPY with the old word', 'COPY customers TO STDOUT WITH BINARY'],
  ])('a result of %s ends the script with words that help, and shows nothing of itself', async (_, sql) => {
    const done = await run(`SELECT 'seen' AS before; ${sql}; SELECT 'not seen' AS after`);
    expect(done).toMatchObject({ output_status: 'failed', exit_code: 1 });
    expect(done.output).toMatch(
      /^before\nseen\n[A-Z \n]*A result of this script is in binary form, but .* in the format text or csv\.\n$/,
    );
    const { event_stream } = await read(done.session_id, '?expand=event_stream&events=o');
    expect(JSON.stringify(event_stream)).not.toContain(Buffer.from('secret').toString('base64').slice(0, 6));
    expect(await run('SELECT 1 AS alive')).toMatchObject({ output: 'alive\n1\n' });
  });

  it('a match that is cut in the middle of a character is told and recorded', async () => {
    const rule = await gateway.call('admin', 'POST', '/guardrails', {
      name: 'long-match',
      input: {
        rules: [{ type: 'pattern_match', words: [], pattern_regex: 'DELETE.*' }],
      },
      connection_ids: [connectionId],
    });
    expect(rule.body.input.rules).toEqual([{ type: 'pattern_match', words: [], pattern_regex: 'DELETE.*' }]);
    const refused = await run(`DELETE ${'x'.repeat(248)}😀 FROM customers`);
    expect(refused).toMatchObject({
      output_status: 'blocked',
      output: 'This is not allowed by the guardrails of this connection.',
    });
    const { guardrails_info } = await read(refused.session_id);
    expect(guardrails_info[0].matched_words[0]).toBe(`DELETE ${'x'.repeat(248)}`);
  });
});
