import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import { ApprovedScripts1765100000000 } from '../../src/platform/database/migrations/1765100000000-approved-scripts';
import { auditLineOf } from '../support/audit';
import { describeDataPath } from '../support/describe';
import { type Approvals, approvalsOn, approve, window } from '../support/waiting-scripts';
import { as } from '../support/callers';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { closedLatch } from '../support/latch';
import { listen, toldBy } from '../support/live';
import { withSettings } from '../support/settings';
import { volume } from '../support/volume';

/**
 * Tests approved scripts: each runs once, as it was approved, in the session that waited for the approval.
 */
describeDataPath('POST /sessions/{session_id}/exec', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let on: Approvals;
  let connection: string;
  let count = 0;

  beforeAll(async () => {
    on = approvalsOn(path);
    await path.target.query('CREATE TABLE runs (mark text)');
    connection = await on.reviewed();
  });

  /** Makes a script that inserts a unique mark into the target each time it runs. */
  const marking = () => {
    const mark = `run-${++count}`;
    return { mark, script: `INSERT INTO runs VALUES ('${mark}'); SELECT 'ran' AS said` };
  };
  const timesRun = async (mark: string) =>
    (await path.target.query('SELECT FROM runs WHERE mark = $1', [mark])).length;
  const expectValid = async (id: string) => {
    const { body } = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
    expect(body).toMatchObject({ status: 'valid', faults: [] });
  };

  // promises: STATE-1, STATE-3, SESSION-4, LIFE-1, LIFE-3, EXEC-1
  it('runs what was approved, and goes on with the recording', async () => {
    const { mark, script } = marking();
    const { id, review } = await on.ask(script, connection);
    expect(await on.stateOf(id)).toEqual(['open', 'PENDING']);
    await approve(path.gateway, review);
    const ready = (await path.read(id, '', 'alice')).body;
    expect(ready).toMatchObject({ status: 'ready', end_date: null, exit_code: null });
    expect(await timesRun(mark)).toBe(0);

    const answer = await on.exec(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        session_id: id,
        output: 'INSERT 0 1\nsaid\nran\n',
        output_status: 'success',
        exit_code: 0,
        execution_time: expect.any(Number),
        truncated: false,
        results: [
          { kind: 'command', output: 'INSERT 0 1\n', truncated: false },
          { kind: 'rows', output: 'said\nran\n', truncated: false },
        ],
        has_review: false,
        review_id: review,
      },
    ]);
    expect(await timesRun(mark)).toBe(1);
    const done = (await path.read(id, '?expand=event_stream', 'alice')).body;
    expect(done).toMatchObject({
      status: 'done',
      exit_code: 0,
      script: null,
      review: { id: review, status: 'EXECUTED' },
      metrics: { events_received: 2, events_stored: 2, events_buffered: 0, guardrails: { checked: 2 } },
    });
    expect(await path.recording(id)).toEqual([
      ['i', script],
      ['o', 'INSERT 0 1\nsaid\nran\n'],
    ]);
    await expectValid(id);
    // The wait for approval changes neither the start of the execution nor the times of its events.
    const times = (done.event_stream as [number, string, string][]).map(([time]) => time);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(Date.parse(done.start_date)).toBeGreaterThan(Date.parse(done.review.created_at) - 1);
    expect(Date.parse(done.start_date)).toBeGreaterThan(Date.parse(ready.start_date));
    expect(Date.parse(done.end_date)).toBeGreaterThanOrEqual(Date.parse(done.start_date));
  });

  // promises: EXEC-5
  // promises: REVIEW-25
  it('is listed with its beginning, until the session alone has it', async () => {
    const { mark, script } = marking();
    const long = `${script} -- ${'🐘'.repeat(400)}`;
    const { id, review } = await on.ask(long, connection);
    const start = async () => {
      const { body } = await path.gateway.call('bob', 'GET', '/reviews?page_size=100');
      return body.data.find((one: { id: string }) => one.id === review).script_start as string | null;
    };
    expect(await start()).toBe([...long].slice(0, 300).join(''));
    await approve(path.gateway, review);
    expect(await start()).toContain(mark);
    expect((await on.exec(id)).status).toBe(200);
    expect(await start()).toBeNull();
    const rejected = await on.ask('SELECT 2', connection);
    await path.gateway.call('bob', 'PUT', `/reviews/${rejected.review}`, { status: 'REJECTED' });
    expect((await path.gateway.call('bob', 'GET', `/reviews/${rejected.review}`)).body).toMatchObject({
      status: 'REJECTED',
      script_start: null,
    });
  });

  it('runs it for an admin, whom the audit log names', async () => {
    const { mark, script } = marking();
    const { id } = await on.approved(script, connection);
    const ran = await on.exec(id, 'admin');
    expect(ran.body).toMatchObject({ output_status: 'success' });
    expect(await timesRun(mark)).toBe(1);
    expect((await path.read(id)).body).toMatchObject({ user_id: 'alice' });
    expect(await auditLineOf(path.gateway, ran)).toMatchObject({
      action: 'execute',
      status: 200,
      resource_id: id,
      actor: { id: 'admin' },
    });
  });

  // promises: EXEC-2
  it('runs once under concurrent calls on several gateways', async () => {
    for (let round = 0; round < volume(2, 5); round += 1) {
      const { mark, script } = marking();
      const { id } = await on.approved(script, connection);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, place) =>
          on.exec(id, place % 3 === 0 ? 'admin' : 'alice', undefined, place % 2 === 0 ? path.gateway : other),
        ),
      );
      const [ran, refused] = [200, 409].map((wanted) => answers.filter(({ status }) => status === wanted));
      expect([ran?.length, refused?.length]).toEqual([1, 9]);
      for (const { body } of refused ?? [])
        expect(body.message).toMatch(/^the review (is being executed|was executed already)$/);
      expect(await timesRun(mark)).toBe(1);
      expect(await on.stateOf(id)).toEqual(['done', 'EXECUTED']);
      await expectValid(id);
    }
  });

  it('runs on another gateway than the one of the request', async () => {
    const script = `SELECT repeat('x', 100000) AS line FROM generate_series(1, 12)`;
    const { id } = await on.approved(script, connection);
    const answer = await on.exec(id, 'alice', undefined, other);
    expect(answer.body).toMatchObject({ output_status: 'success', truncated: true });
    const events = await path.recording(id);
    expect(events[0]).toEqual(['i', script]);
    expect(
      events
        .slice(1)
        .map(([, text]) => text)
        .join(''),
    ).toBe(`line\n${`${'x'.repeat(100_000)}\n`.repeat(12)}`);
    await expectValid(id);
  });

  it.each(['journal', 'journal+fsync', 'store'])(
    'records in the manner of the connection: %s',
    async (mode) => {
      const name = await on.reviewed({ recording_mode: mode });
      const { mark, script } = marking();
      const { id } = await on.approved(script, name);
      expect((await on.exec(id)).body).toMatchObject({ output_status: 'success' });
      expect(await timesRun(mark)).toBe(1);
      expect((await path.recording(id)).map(([type]) => type)).toEqual(['i', 'o']);
      await expectValid(id);
    },
  );

  // promises: EXEC-3
  it('accepts the same input byte for byte, and refuses any other', async () => {
    const { mark, script } = marking();
    const { id } = await on.approved(script, connection);
    for (const body of [
      { script: `${script} ` },
      { script: '' },
      { script, client_args: ['-v'] },
      { env_vars: { PGUSER: 'somebody' } },
    ]) {
      const answer = await on.exec(id, 'alice', body);
      expect([answer.status, answer.body]).toEqual([
        409,
        { message: 'this is not the input that was approved' },
      ]);
    }
    expect(await timesRun(mark)).toBe(0);
    expect(await on.stateOf(id)).toEqual(['ready', 'APPROVED']);
    const answer = await on.exec(id, 'alice', { script, client_args: [], env_vars: {} });
    expect(answer.body).toMatchObject({ output_status: 'success' });
    expect(await timesRun(mark)).toBe(1);
  });

  // promises: HTTP-26
  it('accepts null for no field: what is as approved is left out', async () => {
    const { mark, script } = marking();
    const { id } = await on.approved(script, connection);
    for (const [body, message] of [
      [{ env_vars: null }, 'env_vars must be an object'],
      [{ script: null }, 'script must not be null: leave it out'],
      [{ client_args: null }, 'client_args must not be null: leave it out'],
    ] as const) {
      const refused = await on.exec(id, 'alice', body);
      expect([refused.status, refused.body]).toEqual([400, { message }]);
    }
    expect(await timesRun(mark)).toBe(0);
    const answer = await on.exec(id, 'alice', {});
    expect([answer.status, answer.body]).toMatchObject([200, { output_status: 'success' }]);
    expect(await timesRun(mark)).toBe(1);
  });

  it('runs only the approved input, even if the session’s row was changed', async () => {
    const { mark, script } = marking();
    const { id } = await on.approved('SELECT 1', connection);
    await path.gateway.database.query('UPDATE sessions SET script = $2 WHERE id = $1', [id, script]);
    expect((await on.exec(id)).status).toBe(409);
    expect(await timesRun(mark)).toBe(0);
  });

  // promises: EXEC-4
  it('runs inside the hours that the approver gave, also across midnight', async () => {
    const { mark, script } = marking();
    const asked = await on.ask(script, connection);
    await approve(path.gateway, asked.review, { time_window: window(2, 1) });
    expect((await on.exec(asked.id)).body).toMatchObject({ output_status: 'success' });
    expect(await timesRun(mark)).toBe(1);
  });

  // promises: EXEC-6
  it('is judged again, by the rules of now', async () => {
    const name = await on.reviewed();
    const { mark, script } = marking();
    const { id, review } = await on.approved(script, name);
    const input = denyWords(['insert into runs']);
    await createRule(path.gateway, { name: `no-${mark}`, input, attributes: [name] });
    const answer = await on.exec(id);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { output_status: 'blocked', exit_code: 254, review_id: review },
    ]);
    expect(await timesRun(mark)).toBe(0);
    const session = (await path.read(id)).body;
    expect(session).toMatchObject({
      status: 'done',
      exit_code: 254,
      review: { status: 'EXECUTED' },
      guardrails_info: [{ rule_name: `no-${mark}`, direction: 'input' }],
      metrics: { guardrails: { checked: 2, blocked: 1 } },
    });
    expect(await path.recording(id)).toEqual([
      ['i', script],
      ['e', `${answer.body.output}\n`],
    ]);
    await expectValid(id);
    expect((await on.exec(id)).status).toBe(409);
  });

  // promises: EXEC-6
  it('has its output screened by the rules of now', async () => {
    const name = await on.reviewed();
    const { id } = await on.approved(`SELECT 'a canary' AS bird`, name);
    const output = denyWords(['canary']);
    await createRule(path.gateway, { name: `no-birds`, output, attributes: [name] });
    expect((await on.exec(id)).body).toMatchObject({ output_status: 'blocked' });
    expect(await on.stateOf(id)).toEqual(['done', 'EXECUTED']);
    expect(JSON.stringify(await path.recording(id))).not.toContain('bird\na canary');
    await expectValid(id);
  });

  it('is over and used when the target cannot be reached', async () => {
    const name = await on.reviewed();
    const { id } = await on.approved('SELECT 1', name);
    const { body: before } = await path.gateway.call('admin', 'GET', `/connections/${name}`);
    expect(before.secret).toMatchObject({ PORT: '' });
    const changed = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
      secret: { PORT: '1' },
    });
    expect(changed.status).toBe(200);
    const answer = await on.exec(id);
    expect([answer.status, answer.body]).toMatchObject([200, { output_status: 'failed', exit_code: 2 }]);
    expect(await on.stateOf(id)).toEqual(['done', 'EXECUTED']);
    expect(await path.recording(id)).toEqual([
      ['i', 'SELECT 1'],
      ['e', answer.body.output],
    ]);
    await expectValid(id);
  });

  // promises: STATE-2, LIFE-1
  it('is ended by a kill, before it runs and while it runs', async () => {
    const { id: ready } = await on.approved('SELECT 1', connection);
    expect((await path.gateway.call('alice', 'POST', `/sessions/${ready}/kill`)).status).toBe(204);
    expect(await on.stateOf(ready)).toEqual(['done', 'REVOKED']);
    expect((await on.exec(ready)).body).toEqual({ message: 'the review was revoked' });
    await expectValid(ready);

    const { id: running } = await on.approved('SELECT pg_sleep(60) AS long_approved', connection);
    const answer = on.exec(running, 'alice', undefined, other);
    await path.untilRunning(/long_approved/);
    expect(await on.stateOf(running)).toEqual(['open', 'PROCESSING']);
    expect((await path.gateway.call('alice', 'POST', `/sessions/${running}/kill`)).status).toBe(204);
    expect((await answer).body).toMatchObject({ output_status: 'failed', exit_code: 254 });
    expect(await on.stateOf(running)).toEqual(['done', 'EXECUTED']);
    await expectValid(running);
  });

  // promises: RUN-4
  it('continues when its caller disconnects', async () => {
    const latch = await closedLatch(path.target);
    const { id, review } = await on.approved(`SELECT ${latch.wait}; SELECT 'late' AS word`, connection);
    const answer = await withSettings(other, { scripts: { answerSeconds: 1 } }, () =>
      on.exec(id, 'alice', undefined, other),
    );
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { session_id: id, output_status: 'running', exit_code: null, has_review: false, review_id: review },
    ]);
    expect(await on.stateOf(id)).toEqual(['open', 'PROCESSING']);
    await latch.open();
    await eventually('it is over', async () => (await on.stateOf(id)).join() === 'done,EXECUTED');
    expect((await path.recording(id)).at(-1)?.[1]).toContain('late');
  });

  it('runs a machine’s request while its key is valid', async () => {
    const key = await path.gateway.call('admin', 'POST', '/api-keys', {
      name: 'robot',
      groups: ['engineering'],
    });
    const asRobot = (at: string, body: object) => as(path.gateway, key.body.key, 'POST', at, body);
    const { mark, script } = marking();
    const ids: string[] = [];
    for (const text of [script, 'SELECT 1']) {
      const { body } = await asRobot('/sessions', { connection, script: text });
      await approve(path.gateway, body.review_id);
      ids.push(body.session_id);
    }
    expect((await asRobot(`/sessions/${ids[0]}/exec`, {})).body).toMatchObject({ output_status: 'success' });
    expect(await timesRun(mark)).toBe(1);
    await path.gateway.call('admin', 'DELETE', `/api-keys/${key.body.id}`);
    expect((await on.exec(ids[1] ?? '', 'admin')).status).toBe(403);
  });

  it('runs what was asked for by a version whose reviews were of the script alone', async () => {
    const { mark, script } = marking();
    const { id } = await on.approved(`${script} -- “ü” \u{1f600}`, connection);
    const hash = async () =>
      (await path.gateway.database.query('SELECT input_hash FROM reviews WHERE session_id = $1', [id]))[0];
    const before = await hash();
    const dataSource = await new DataSource(dataSourceOptions(path.gateway.database.url, 1)).initialize();
    const db = dataSource.createQueryRunner();
    await new ApprovedScripts1765100000000().down(db);
    expect(await hash()).not.toEqual(before);
    await new ApprovedScripts1765100000000().up(db);
    await dataSource.destroy();
    expect(await hash()).toEqual(before);
    expect((await on.exec(id)).body).toMatchObject({ output_status: 'success' });
    expect(await timesRun(mark)).toBe(1);
  });

  it('is followed live, from the wait to the end', async () => {
    const { script } = marking();
    const { id, review } = await on.ask(script, connection);
    const reader = await listen(path.gateway, 'alice', id);
    await eventually('the input is told', async () => reader.messages.length === 1);
    await approve(path.gateway, review);
    await on.exec(id, 'alice', undefined, other);
    expect(await reader.over).toBe('ended');
    expect(toldBy(reader.messages)).toEqual([
      ['i', script],
      ['o', 'INSERT 0 1\nsaid\nran\n'],
    ]);
    expect(reader.messages.at(-1)).toMatchObject({ event: 'end', data: { status: 'done', exit_code: 0 } });
  });

  it('is found by the words of its input and in the order of its start, also after it ran', async () => {
    const word = `findme${Date.now()}`;
    const { id } = await on.approved(`SELECT '${word}'`, connection);
    const { id: later } = await on.approved(`SELECT '${word}' AS later`, connection);
    await on.exec(later);
    await on.exec(id);
    const found = async (query: string) =>
      (await path.gateway.call('alice', 'GET', `/sessions?${query}`)).body.data.map(
        (session: { id: string }) => session.id,
      );
    expect(await found(`q=${word}`)).toEqual([id, later]);
    const between = (await path.read(id)).body.start_date as string;
    expect(await found(`q=${word}&start_date=${between}`)).toEqual([id]);
    expect(await found(`review.status=EXECUTED&limit=2`)).toEqual([id, later]);
  });
});
