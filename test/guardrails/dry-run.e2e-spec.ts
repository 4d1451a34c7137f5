import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Client } from 'pg';
import { DryRunService } from '../../src/access/policy/dry-run.service';
import { RecordingReader } from '../../src/sessions/recording/recording-reader';
import { describeWirePath } from '../support/describe';
import { denyPattern, denyWords } from '../support/guardrails';

/** A dry run judges recorded sessions like the gate judged them. */
describeWirePath('a dry run over recorded sessions', ({ path }) => {
  const dry = async (input: object) =>
    (
      await path.gateway.call('auditor', 'POST', '/guardrails/dry-run', {
        rule: { name: 'draft', input },
        direction: 'input',
        text: '',
        sessions: 1,
      })
    ).body.replay;

  // promises: GUARDRAIL-18
  it('judges values as values, one by one, and only statements as statements', async () => {
    const client = new Client(path.through);
    await client.connect();
    await client.query({
      name: 'find',
      text: 'SELECT $1::text, $2::text',
      values: ["DROP TABLE 'x'", '4711'],
    });
    await client.end();
    const id = await path.lastSession();
    const blocks = { sessions: 1, blocked: 1, session_ids: [id] };
    const passes = { sessions: 1, blocked: 0, session_ids: [] };
    const statements = (kinds: string[]) => ({
      rules: [{ type: 'sql_statement', words: [], pattern_regex: '', kinds }],
    });
    expect(await dry(statements(['select']))).toEqual(blocks);
    expect(await dry(statements(['drop']))).toEqual(passes);
    expect(await dry(denyPattern('^4711$'))).toEqual(blocks);
    expect(await dry(denyPattern("^DROP TABLE 'x'$"))).toEqual(blocks);
    // The recording wraps values in text such as `bind_named`, which is no input and must not be judged.
    expect(await dry(denyWords(['bind_named', 'find']))).toEqual(passes);
  });

  it('ends when its client is gone', async () => {
    for (let count = 0; count < 3; count++) await path.run('SELECT 1');
    const token = await path.gateway.token('auditor');
    const server: Server = path.gateway.app.getHttpServer();
    let answer: ServerResponse | undefined;
    server.once('request', (_request, response) => (answer = response));
    const client = new AbortController();
    const reads = jest.spyOn(RecordingReader.prototype, 'pieces');
    const runs = jest.spyOn(DryRunService.prototype, 'run');
    reads.mockImplementationOnce(async function* () {
      client.abort();
      if (answer?.closed === false) await once(answer, 'close');
      yield { time: 0, type: 'i', content: Buffer.from('SELECT 1'), ends: true };
    });
    const body = {
      rule: { name: 'draft', input: denyWords(['x']) },
      direction: 'input',
      text: '',
      sessions: 3,
    };
    const asked = fetch(`${path.gateway.api}/guardrails/dry-run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: client.signal,
    });
    await expect(asked).rejects.toThrow();
    await Promise.all(runs.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(runs).toHaveBeenCalledTimes(1);
    expect(reads).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
  });
});
