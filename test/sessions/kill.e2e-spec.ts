import { connectReviewed } from '../support/waiting-scripts';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SessionRow } from '../../src/sessions/recording/session.entity';
import { describeDataPath } from '../support/describe';
import { as } from '../support/callers';
import { runningOn } from '../support/data-path';
import { eventually } from '../support/eventually';
import { cutFeeds, keepFeedDown } from '../support/feed';
import { type Answer, type Person, startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { secretOf } from '../support/target';
import { startTcpProxy } from '../support/tcp-proxy';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const BY_ADMIN = 'The session was ended by admin@example.com.';
const BY_ALICE = 'The session was ended by alice@example.com.';

/** POST /sessions/{id}/kill ends a session, whichever gateway runs it. */
describeDataPath('POST /sessions/{session_id}/kill', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let count = 0;

  beforeAll(async () => {
    await connectReviewed(path, 'reviewed');
  });

  const kill = (id: string, person: Person = 'admin', gateway = path.gateway) =>
    gateway.call(person, 'POST', `/sessions/${id}/kill`);

  /** Kills a session and waits for its end. On a slow machine, the session may end after the answer. */
  const killInTheEnd = async (id: string) => {
    expect([202, 204]).toContain((await kill(id)).status);
    await eventually('it is over', async () => (await path.read(id)).body.status === 'done');
  };

  /** A script that would run for long; resolves once the target runs it. */
  const running = async (connection = 'orders', gateway = path.gateway, person: Person = 'alice') => {
    const mark = `kill_${++count}`;
    const script = `SELECT 'before'; SELECT pg_sleep(60) AS ${mark}`;
    const answer = gateway.call(person, 'POST', '/sessions', { connection, script });
    await path.untilRunning(new RegExp(mark));
    return { id: (await path.sessionOf(script)).id, mark, answer };
  };

  const waiting = async (person: Person = 'alice'): Promise<string> => {
    const script = `DELETE FROM customers -- ${++count}`;
    const { status, body } = await path.run(script, { connection: 'reviewed' }, person);
    expect([status, body.has_review]).toEqual([202, true]);
    return body.session_id as string;
  };

  const expectEnded = async (
    { id, mark, answer }: { id: string; mark: string; answer: Promise<Answer> },
    reason: string,
  ): Promise<void> => {
    const { body } = await path.read(id);
    expect(body).toMatchObject({ status: 'done', exit_code: 254, end_date: expect.any(String) });
    expect(body.metrics.events_buffered).toBe(0);
    await eventually(
      'the target has stopped',
      async () => !(await runningOn(path.target)).join().includes(mark),
    );
    const events = await path.recording(id);
    expect(events.at(-1)).toEqual(['e', expect.stringMatching(new RegExp(`(^|\n)${reason}\n$`))]);
    expect(events.flat().join().split(reason)).toHaveLength(2);
    expect(await answer).toMatchObject({
      status: 200,
      body: { session_id: id, output_status: 'failed', exit_code: 254 },
    });
    expect((await answer).body.output.endsWith(`${reason}\n`)).toBe(true);
  };

  // promises: LIFE-5, RUN-3
  it('ends a running script: on the target, in the recording, and for its waiting client', async () => {
    const session = await running();
    const answer = await kill(session.id, 'alice');
    expect([answer.status, answer.text]).toEqual([204, '']);
    await expectEnded(session, BY_ALICE);
  });

  // promises: LIFE-5
  it('ends a session that another gateway runs', async () => {
    const session = await running('orders', other);
    expect((await kill(session.id)).status).toBe(204);
    await expectEnded(session, BY_ADMIN);
  });

  // promises: LIFE-5
  it('ends a session right after the change feeds were cut, and while the feed stays down', async () => {
    const cut = await running('orders', other);
    await cutFeeds(path.gateway);
    await killInTheEnd(cut.id);
    await expectEnded(cut, BY_ADMIN);

    const deaf = await running('orders', other);
    const release = await keepFeedDown(other);
    try {
      await killInTheEnd(deaf.id);
      await expectEnded(deaf, BY_ADMIN);
    } finally {
      await release();
    }
  });

  it('works even if the order could not be read when it arrived', async () => {
    const session = await running('orders', other);
    const stored = other.app.get<Repository<SessionRow>>(getRepositoryToken(SessionRow), { strict: false });
    const find = stored.find.bind(stored);
    let failed = 0;
    const spy = jest.spyOn(stored, 'find').mockImplementation((options) => {
      const where = options?.where as { gatewayId?: unknown; stopReason?: unknown } | undefined;
      const isLook = where?.stopReason !== undefined && typeof where.gatewayId === 'string';
      if (!isLook || ++failed > 1) return find(options);
      return Promise.reject(new Error('the pool is exhausted'));
    });
    await kill(session.id);
    await eventually('it is over', async () => (await path.read(session.id)).body.status === 'done');
    spy.mockRestore();
    expect(failed).toBeGreaterThan(1);
    await expectEnded(session, BY_ADMIN);
  });

  it('does not wait for a target that is silent or does not accept', async () => {
    const secret = secretOf(path.target);
    const wire = await startTcpProxy('127.0.0.1', Number(secret['PORT']));
    await path.connect('silent', { secret: { ...secret, HOST: '127.0.0.1', PORT: String(wire.port) } });
    try {
      const session = await running('silent');
      wire.goSilent();
      await killInTheEnd(session.id);
      expect((await session.answer).body).toMatchObject({ output_status: 'failed', exit_code: 254 });

      const script = 'SELECT 1 AS at_the_door';
      const answer = path.run(script, { connection: 'silent' });
      const { id } = await eventually('it has begun', () => path.sessionOf(script).catch(() => undefined));
      await killInTheEnd(id);
      expect((await answer).body).toMatchObject({ output: `${BY_ADMIN}\n`, exit_code: 254 });
    } finally {
      await wire.close();
    }
  });

  it('comes after the output that a guardrail still held back', async () => {
    await path.connect('screened', { attributes: ['screened'] });
    const output = denyWords(['nothing-says-this']);
    await createRule(path.gateway, { name: 'screened', attributes: ['screened'], output });
    const session = await running('screened');
    expect((await kill(session.id)).status).toBe(204);
    expect(await path.recording(session.id)).toContainEqual(['o', expect.stringContaining('before')]);
    await expectEnded(session, BY_ADMIN);
  });

  it('ends a session that waits for its review, and the review', async () => {
    const id = await waiting();
    expect((await kill(id, 'alice', other)).status).toBe(204);
    const { body } = await path.read(id, '?expand=event_stream');
    expect(body).toMatchObject({
      status: 'done',
      exit_code: 254,
      end_date: expect.any(String),
      review: { status: 'REVOKED' },
      metrics: { events_received: 2, events_stored: 2 },
    });
    expect((await path.recording(id)).at(-1)).toEqual(['e', `${BY_ALICE}\n`]);
    expect(await path.target.query('SELECT id FROM customers')).toHaveLength(2);
  });

  it('ends a session that was approved and waits for its turn', async () => {
    const id = await waiting();
    await path.gateway.database.query(`UPDATE sessions SET status = 'ready' WHERE id = $1`, [id]);
    await path.gateway.database.query(`UPDATE reviews SET status = 'APPROVED' WHERE session_id = $1`, [id]);
    expect((await kill(id)).status).toBe(204);
    expect((await path.read(id)).body).toMatchObject({
      status: 'done',
      exit_code: 254,
      review: { status: 'REVOKED' },
    });
    expect((await path.recording(id)).at(-1)).toEqual(['e', `${BY_ADMIN}\n`]);
  });

  it('works even if the gateway of the request died', async () => {
    const id = await waiting();
    await path.gateway.database.query('UPDATE sessions SET stop_reason = $2 WHERE id = $1', [id, BY_ADMIN]);
    const { body } = await eventually('it is over', async () => {
      const answer = await path.read(id);
      return answer.body.status === 'done' && answer;
    });
    expect(body).toMatchObject({ exit_code: 254, review: { status: 'REVOKED' } });
    expect((await path.recording(id)).at(-1)).toEqual(['e', `${BY_ADMIN}\n`]);
  });

  // promises: LIFE-5
  it('is 409 when the session is over, and changes nothing', async () => {
    const { body } = await path.run('SELECT 1');
    const before = (await path.read(body.session_id, '?expand=event_stream')).body;
    const answer = await kill(body.session_id);
    expect([answer.status, answer.body]).toEqual([409, { message: 'the session is already over' }]);
    expect((await path.read(body.session_id, '?expand=event_stream')).body).toEqual(before);
  });

  it('is safe under concurrency: one reason, one end', async () => {
    const session = await running('orders', other);
    const waits = await waiting();
    const racing = (id: string) =>
      Promise.all(
        [path.gateway, other, path.gateway, other].map((gateway, index) =>
          kill(id, index % 2 === 0 ? 'admin' : 'alice', gateway),
        ),
      );
    for (const answers of await Promise.all([racing(session.id), racing(waits)])) {
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toContain(204);
      expect(statuses.filter((status) => status !== 204 && status !== 409)).toEqual([]);
    }
    const recorded = (await path.recording(session.id)).at(-1)?.[1] ?? '';
    await expectEnded(session, recorded.includes(BY_ADMIN) ? BY_ADMIN : BY_ALICE);
    expect((await path.recording(waits)).map(([type]) => type)).toEqual(['i', 'e']);
  });

  // promises: LIFE-5
  it('is 404 for strangers, and 403 for those who may only read', async () => {
    const id = await waiting('admin');
    await path.connect('secret-reviews');
    await path.gateway.call('admin', 'POST', '/access-requests/rules', {
      name: 'secret-reviews',
      access_type: 'command',
      reviewers_groups: ['security'],
      min_approvals: 1,
      connection_names: ['secret-reviews'],
    });
    const foreign = (await path.run('SELECT 1', { connection: 'secret-reviews' })).body.session_id;
    const nothing = { message: 'there is no session with this id' };
    for (const [person, target, status, body] of [
      ['alice', id, 404, nothing],
      ['bob', foreign, 404, nothing],
      ['bob', NOBODY, 404, nothing],
      ['admin', NOBODY, 404, nothing],
      ['bob', id, 403, { message: 'only the owner of a session or an admin may do this' }],
      ['auditor', id, 403, expect.anything()],
      ['auditor', NOBODY, 403, expect.anything()],
      ['admin', 'not-a-uuid', 400, { message: 'session_id must be a UUID' }],
    ] as const) {
      const answer = await kill(target, person);
      expect([person, target, answer.status, answer.body]).toEqual([person, target, status, body]);
    }
    expect((await kill(id.toUpperCase(), 'admin')).status).toBe(204);
    expect((await path.read(foreign)).body.status).toBe('open');
  });

  it('is for machines too, for their own sessions', async () => {
    const create = async (name: string) =>
      (await path.gateway.call('admin', 'POST', '/api-keys', { name })).body as { id: string; key: string };
    const [machine, stranger] = [await create('machine'), await create('stranger')];
    const script = 'SELECT pg_sleep(60) AS of_a_machine';
    const answer = as(path.gateway, machine.key, 'POST', '/sessions', { connection: 'orders', script });
    await path.untilRunning(/of_a_machine/);
    const { id } = await path.sessionOf(script);
    expect((await as(path.gateway, stranger.key, 'POST', `/sessions/${id}/kill`)).status).toBe(404);
    expect((await as(other, machine.key, 'POST', `/sessions/${id}/kill`)).status).toBe(204);
    await expectEnded(
      { id, mark: 'of_a_machine', answer },
      `The session was ended by api-key:${machine.id}.`,
    );
  });

  it('is in the audit log: who, which session, and the outcome', async () => {
    const id = await waiting();
    await kill(id, 'bob');
    await kill(id, 'auditor');
    await kill(id, 'alice');
    await kill(id, 'admin');
    const lines = await eventually('four lines', async () => {
      const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=sessions');
      const own = body.data.filter((line: { resource_id: string }) => line.resource_id === id);
      return own.filter((line: { status: number }) => line.status !== 202).length === 4 && own;
    });
    const seen = lines.map((line: { actor: { id: string }; status: number; [field: string]: unknown }) => [
      line.actor.id,
      line['action'],
      line.status,
      line['outcome'],
      line['changes'],
    ]);
    const changes = [{ field: 'stop_reason', before: null, after: BY_ALICE }];
    for (const line of [
      ['bob', 'execute', 403, 'denied', []],
      ['auditor', 'execute', 403, 'denied', []],
      ['alice', 'execute', 204, 'success', changes],
      ['admin', 'execute', 409, 'failed', []],
    ])
      expect(seen).toContainEqual(line);
  });
});
