import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import type { Answer, Person } from '../support/gateway';
import { type Latch, closedLatch } from '../support/latch';
import { type Approvals, approvalsOn } from '../support/waiting-scripts';

const PER_USER = 2;
const PER_CONNECTION = 3;

const SETTINGS = {
  environment: {
    SCRIPTS_PER_USER: String(PER_USER),
    SCRIPTS_PER_CONNECTION: String(PER_CONNECTION),
    SCRIPT_ANSWER_SECONDS: '1',
  },
};

/** Limits of concurrently running scripts: for one person, and for one connection. */
describeDataPath('limits of running scripts', SETTINGS, ({ path }) => {
  let approvals: Approvals;
  let latch: Latch;

  beforeAll(async () => {
    approvals = approvalsOn(path);
    await path.connect('other');
  });

  beforeEach(async () => {
    latch = await closedLatch(path.target);
  });

  /** Runs a script that lasts until the latch opens. The answer reports that the script still runs. */
  const hold = async (person: Person, connection = 'orders'): Promise<string> => {
    const { status, body } = await path.run(`SELECT ${latch.wait}`, { connection }, person);
    expect([status, body.output_status]).toEqual([202, 'running']);
    return body.session_id as string;
  };
  const quick = (person: Person, connection = 'orders') => path.run('SELECT 1', { connection }, person);
  const nothingRuns = () =>
    eventually('nothing runs', async () => {
      const rows = await path.gateway.database.query(`SELECT FROM sessions WHERE gateway_id IS NOT NULL`);
      return rows.length === 0;
    });
  const expectTooMany = (answer: Answer, why: string): void => {
    expect([answer.status, answer.body, Number(answer.headers.get('retry-after')) > 0]).toEqual([
      429,
      { message: `${why}, which is the limit; try again when one has ended` },
      true,
    ]);
  };

  // promises: RUN-9, RUN-4
  it('count scripts whose callers left, and record no refused ones', async () => {
    for (let i = 0; i < PER_USER; i++) await hold('alice');
    const before = await path.countSessions();
    expectTooMany(await quick('alice'), `you already have ${PER_USER} running scripts`);
    expectTooMany(await quick('alice', 'other'), `you already have ${PER_USER} running scripts`);
    expect(await path.countSessions()).toBe(before);
    expect((await quick('bob')).status).toBe(200);
    await latch.open();
    await nothingRuns();
    expect((await quick('alice')).status).toBe(200);
  });

  // promises: RUN-9
  it('count each connection, for all callers', async () => {
    await hold('alice');
    await hold('alice');
    await hold('bob');
    expectTooMany(await quick('bob'), `this connection already has ${PER_CONNECTION} running scripts`);
    expect((await quick('bob', 'other')).status).toBe(200);
    await latch.open();
    await nothingRuns();
    expect((await quick('bob')).status).toBe(200);
  });

  it('release the place however a script ends: killed, refused, failed, pending', async () => {
    const connection = await approvals.reviewed();
    for (let i = 0; i <= PER_USER; i++) {
      const id = await hold('alice');
      expect((await path.gateway.call('alice', 'POST', `/sessions/${id}/kill`)).status).toBe(204);
      expect((await path.run('SELECT broken', {}, 'alice')).body.output_status).toBe('failed');
      expect((await path.run('SELECT 1', { connection: 'nothing' }, 'alice')).status).toBe(404);
      await approvals.ask('SELECT 1', connection);
    }
    await latch.open();
  });

  it('leave an approval unused when there is no place', async () => {
    const connection = await approvals.reviewed();
    const { id } = await approvals.approved('SELECT 1', connection);
    for (let i = 0; i < PER_USER; i++) await hold('alice');
    expectTooMany(await approvals.exec(id), `you already have ${PER_USER} running scripts`);
    expect(await approvals.stateOf(id)).toEqual(['ready', 'APPROVED']);
    await latch.open();
    await nothingRuns();
    expect((await approvals.exec(id)).status).toBe(200);
  });
});
