import { until } from '../../support/gateway-process';
import { closedLatch } from '../../support/latch';
import { PostgresProcess } from '../../support/postgres-process';

const STOPPING = 'FATAL 57P01: The gateway is shutting down.';

/** A gateway that is stopped or killed: its clients get an error, and no session stays open. */
describe('a gateway process with PostgreSQL clients', () => {
  let gateway: PostgresProcess;

  beforeAll(async () => {
    gateway = await PostgresProcess.start();
  }, 480_000);

  afterAll(() => gateway.close());

  it('at SIGTERM lets running commands finish, and starts no others', async () => {
    const [idle, busy] = [await gateway.enter(), await gateway.enter()];
    const latch = await closedLatch(gateway.target);
    const statement = `SELECT ${latch.wait}, 'kept' AS word`;
    const answer = busy.client.query(statement);
    await until(() => gateway.isAtWork(busy.name));
    const stopping = gateway.running.stop();
    expect(await idle.lastWords).toBe(STOPPING);
    await latch.open();
    expect((await answer).rows).toMatchObject([{ word: 'kept' }]);
    expect(await busy.lastWords).toBe(STOPPING);
    expect(await stopping).toEqual({ code: 0, signal: null });
    for (const client of [idle, busy])
      expect(await gateway.session(client)).toMatchObject({
        status: 'done',
        exit_code: 254,
        end_date: expect.any(Date),
      });
    expect(await gateway.nobodyIsLeft()).toBe(true);
    await gateway.start();
    const { id } = await gateway.session(busy);
    expect(await gateway.recording(id)).toEqual([
      `i ${statement}`,
      'o SELECT 1\n',
      'e The gateway is shutting down.\n',
    ]);
  });

  it('at SIGTERM ends queries, transactions and scripts after the grace period', async () => {
    await gateway.kill();
    await gateway.start({ SHUTDOWN_GRACE_SECONDS: '3' });
    const [busy, undecided] = [await gateway.enter(), await gateway.enter()];
    await undecided.client.query("BEGIN; INSERT INTO customers VALUES (301, 'Eve')");
    busy.client.query('SELECT pg_sleep(600)').catch(() => undefined);
    await until(() => gateway.isAtWork(busy.name));
    const script = gateway.running.post('/sessions', gateway.token, {
      connection: 'orders',
      script: "SET application_name = 'client-script'; SELECT pg_sleep(600)",
    });
    await until(() => gateway.isAtWork('client-script'));
    const stopping = gateway.running.stop();
    // During the grace period a transaction may continue. This transaction does not end in time.
    expect((await undecided.client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await busy.lastWords).toBe(STOPPING);
    expect(await undecided.lastWords).toBe(STOPPING);
    expect(await (await script).json()).toMatchObject({ exit_code: 254 });
    expect(await stopping).toEqual({ code: 0, signal: null });
    await until(() => gateway.nobodyIsLeft());
    for (const client of [busy, undecided])
      expect(await gateway.session(client)).toMatchObject({ status: 'done', exit_code: 254 });
    expect(await gateway.target.query('SELECT FROM customers WHERE id = 301')).toEqual([]);
    await gateway.start();
  });

  // promises: LIFE-4
  it('that is killed: the next one closes the session, and its recording holds all that was acknowledged', async () => {
    const visitor = await gateway.enter();
    const answered: string[] = [];
    for (let number = 0; number < 200; number += 1) {
      const statement = `INSERT INTO customers VALUES (${1_000 + number}, 'kept')`;
      await visitor.client.query(statement);
      answered.push(`i ${statement}`, 'o INSERT 0 1\n');
    }
    gateway.running.kill('SIGKILL');
    expect(await visitor.lastWords).toBe('');
    await gateway.running.exited;
    await until(() => gateway.nobodyIsLeft());
    await gateway.start();
    const session = await gateway.done(visitor);
    expect(session).toMatchObject({ exit_code: 254, end_date: expect.any(Date) });
    expect(await gateway.recording(session.id)).toEqual([
      ...answered,
      'e The gateway stopped while this session was running.\n',
    ]);
  });
});
