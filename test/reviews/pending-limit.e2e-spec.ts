import { describeDataPath } from '../support/describe';
import { issue } from '../support/credentials';
import { startGateway, type TestGateway } from '../support/gateway';
import { type Approvals, approvalsOn, ruleForScripts } from '../support/waiting-scripts';

const MOST = 3;
const SETTINGS = { environment: { PENDING_REQUESTS: String(MOST) } };

/** Limit on the number of undecided requests of one person for one connection. */
describeDataPath('pending requests', SETTINGS, ({ path }) => {
  let approvals: Approvals;
  let other: TestGateway;

  beforeAll(async () => {
    approvals = approvalsOn(path);
    other = await startGateway({ beside: path.gateway, ...SETTINGS });
  });

  afterAll(() => other.close());

  const fill = async (connection: string) => {
    const asked = [];
    for (let index = 0; index < MOST; index += 1)
      asked.push(await approvals.ask(`SELECT ${index}`, connection));
    return asked;
  };
  const pending = async (connection: string): Promise<number> => {
    const rows = await path.gateway.database.query<{ count: string }>(
      `SELECT count(*) FROM reviews WHERE connection_name = $1 AND status = 'PENDING'`,
      [connection],
    );
    return Number(rows[0]?.count);
  };

  // promises: REVIEW-24
  it('are bounded, also where many are sent to two gateways at once', async () => {
    const connection = await approvals.reviewed();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? path.gateway : other).call('alice', 'POST', '/sessions', {
          connection,
          script: `SELECT ${index}`,
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 202).length, refused.length]).toEqual([
      MOST,
      10 - MOST,
    ]);
    for (const { body, headers } of refused) {
      expect(body.message).toBe(
        `${MOST} requests of yours for the connection ${connection} wait for a decision, and no more may.`,
      );
      expect(headers.get('retry-after')).toBe('60');
    }
    expect(await pending(connection)).toBe(MOST);
    const listed = await path.gateway.call('alice', 'GET', `/sessions?connection=${connection}`);
    const statuses = (listed.body.data as { status: string }[]).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<string>(10 - MOST).fill('done'), ...Array<string>(MOST).fill('open')]);
  });

  // promises: REVIEW-24
  it('of others, and for other connections, are counted by themselves; a decision makes room', async () => {
    const connection = await approvals.reviewed();
    const [first] = await fill(connection);
    const run = (person: 'alice' | 'bob', name = connection) =>
      path.run('SELECT 1', { connection: name }, person);
    expect((await run('alice')).status).toBe(429);
    expect((await run('bob')).status).toBe(202);
    expect((await run('alice', await approvals.reviewed())).status).toBe(202);
    const rejected = await path.gateway.call('bob', 'PUT', `/reviews/${first!.review}`, {
      status: 'REJECTED',
    });
    expect(rejected.status).toBe(200);
    expect((await run('alice')).status).toBe(202);
    expect((await run('alice')).status).toBe(429);
  });

  // promises: REVIEW-24
  it('for access for a while are counted among them', async () => {
    const connection = await approvals.reviewed();
    await ruleForScripts(path.gateway, `${connection}-clients`, {
      access_type: 'jit',
      connection_names: [connection],
    });
    await fill(connection);
    const asked = await issue(path.gateway, 'alice', {}, connection);
    expect([asked.status, asked.body.message]).toEqual([
      429,
      expect.stringContaining(`${MOST} requests of yours for the connection ${connection}`),
    ]);
    expect((await issue(path.gateway, 'bob', {}, connection)).status).toBe(202);
  });

  // promises: REVIEW-24
  it('that nobody decided in time do not count', async () => {
    const connection = await approvals.reviewed();
    await fill(connection);
    await path.gateway.database.query(
      `UPDATE reviews SET expires_at = now() - interval '1 second' WHERE connection_name = $1`,
      [connection],
    );
    expect((await path.run('SELECT 1', { connection })).status).toBe(202);
  });
});
