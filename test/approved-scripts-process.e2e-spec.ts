import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Approvals, approvalsOn, approve } from './support/waiting-scripts';
import { type DataPath, startDataPath } from './support/data-path';
import { eventually } from './support/eventually';
import { freePort } from './support/free-port';
import { GatewayProcess, buildIfNeeded, temporaryFolder } from './support/gateway-process';

const STARTS_WITHIN_MS = 60_000;

/** A gateway that is killed while it runs what was approved. */
describe('an approved script whose gateway dies', () => {
  let path: DataPath;
  let on: Approvals;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let variables: Record<string, string>;
  let connection: string;

  beforeAll(async () => {
    await buildIfNeeded();
    folder = await temporaryFolder();
    const key = randomBytes(32).toString('base64');
    path = await startDataPath({ SECRET_KEY: key });
    on = approvalsOn(path);
    connection = await on.reviewed();
    const { database, provider } = path.gateway;
    variables = {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: 'access-gateway',
      IDP_CLIENT_SECRET: 'test-secret',
      IDP_SCOPES: 'openid email profile groups',
      SECRET_KEY: key,
      JOURNAL_DIR: join(folder.path, 'journals'),
      HEARTBEAT_SECONDS: '1',
      PORT: String(await freePort()),
    };
  }, STARTS_WITHIN_MS);

  afterAll(async () => {
    await path.close();
    await folder.remove();
  });

  /** The target goes on with what nobody waits for any more, so each has a mark of its own. */
  const marked = (mark: string) =>
    `SELECT repeat('x', 1000) AS line FROM generate_series(1, 700); SELECT pg_sleep(60) AS ${mark}`;
  const BEFORE = `line\n${`${'x'.repeat(1000)}\n`.repeat(700)}`;

  /** The target sends the end of a result with the next one: so much of it may not have come. */
  const UNSENT = 80 * 1024;

  /** Takes an approved script on that gateway, and kills it in the middle. */
  const killed = async (mark: string): Promise<string> => {
    const gateway = await GatewayProcess.start(variables);
    const token = await path.gateway.token('alice');
    // It asks as well: its journal knows of the session before it waited, and after.
    const asked = await gateway.post('/sessions', token, { connection, script: marked(mark) });
    const { session_id: id, review_id } = (await asked.json()) as Record<'session_id' | 'review_id', string>;
    await approve(path.gateway, review_id);
    const answer = gateway.post(`/sessions/${id}/exec`, token, {}).catch(() => undefined);
    try {
      await path.untilRunning(new RegExp(mark));
      expect(await on.stateOf(id)).toEqual(['open', 'PROCESSING']);
    } finally {
      gateway.kill('SIGKILL');
      await gateway.exited;
    }
    expect(await answer).toBeUndefined();
    return id;
  };

  const expectUnknown = async (id: string, script: string): Promise<string> => {
    const isOver = async () => (await on.stateOf(id))[0] === 'done';
    await eventually('the session is over', isOver, STARTS_WITHIN_MS);
    // Both at once: nobody ever sees the one without the other.
    expect(await on.stateOf(id)).toEqual(['done', 'UNKNOWN']);
    expect((await path.read(id)).body).toMatchObject({ exit_code: 254, end_date: expect.any(String) });
    expect((await on.exec(id)).body).toEqual({
      message: 'the review was being executed when its gateway stopped',
    });
    const verified = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
    expect(verified.body).toMatchObject({ status: 'valid', faults: [] });
    const [input, ...events] = await path.recording(id);
    expect(input).toEqual(['i', script]);
    // What a journal brings later is stored behind it.
    const ends = events.filter(([type]) => type === 'e');
    expect(ends).toEqual([['e', 'The gateway stopped while this session was running.\n']]);
    return events
      .filter(([type]) => type === 'o')
      .map(([, text]) => text)
      .join('');
  };

  it(
    'is over, and nobody knows how far it came',
    async () => {
      const id = await killed('killed_for_good');
      // What it had stored; the journal of its machine may bring more.
      const output = await expectUnknown(id, marked('killed_for_good'));
      expect(BEFORE.startsWith(output)).toBe(true);
    },
    2 * STARTS_WITHIN_MS,
  );

  it(
    'loses nothing of what its machine had recorded',
    async () => {
      const id = await killed('killed_and_replaced');
      const next = await GatewayProcess.start(variables);
      try {
        const output = await expectUnknown(id, marked('killed_and_replaced'));
        await eventually('all of it is there', async () => {
          const text = (await path.read(id, '?event_stream=utf8&events=o')).body.event_stream[0] as string;
          return text.length > BEFORE.length - UNSENT && BEFORE.startsWith(text);
        });
        expect(BEFORE.startsWith(output)).toBe(true);
        const verified = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
        expect(verified.body).toMatchObject({ status: 'valid', faults: [] });
        expect(await on.stateOf(id)).toEqual(['done', 'UNKNOWN']);
      } finally {
        await next.stop();
      }
    },
    3 * STARTS_WITHIN_MS,
  );
});
