import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Approvals, approvalsOn, approve } from '../support/waiting-scripts';
import { type DataPath, startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { GatewayProcess, buildIfNeeded, temporaryFolder } from '../support/gateway-process';
import { journaledOutput } from '../support/journals';
import { RefusedInserts } from '../support/refused-inserts';

const STARTS_WITHIN_MS = 120_000;

/** Kills a gateway while it runs an approved script. */
describe('an approved script whose gateway dies', () => {
  let path: DataPath;
  let on: Approvals;
  let chunks: RefusedInserts;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let variables: Record<string, string>;
  let connection: string;

  beforeAll(async () => {
    await buildIfNeeded();
    folder = await temporaryFolder();
    const key = randomBytes(32).toString('base64');
    path = await startDataPath({ SECRET_KEY: key });
    chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks', {
      key: 'NEW.session_id::text',
    });
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
      // Gives the client no early answer ("still running") while the script runs.
      SCRIPT_ANSWER_SECONDS: '600',
      PORT: String(await freePort()),
    };
  }, STARTS_WITHIN_MS);

  afterAll(async () => {
    await path.close();
    await folder.remove();
  });

  /**
   * Returns a script with a unique mark, because the target still runs scripts of gateways that were killed.
   */
  const marked = (mark: string) =>
    `SELECT repeat('x', 1000) AS line FROM generate_series(1, 700); SELECT pg_sleep(600) AS ${mark}`;
  const BEFORE = `line\n${`${'x'.repeat(1000)}\n`.repeat(700)}`;

  /** Bytes that may be missing, because the target sends the end of a result with the next result. */
  const UNSENT = 80 * 1024;

  /**
   * Requests the script on the gateway and has it approved, so that the gateway's journal contains events
   * from before and from after the wait for the approval.
   */
  const approvedOn = async (gateway: GatewayProcess, mark: string): Promise<string> => {
    const token = await path.gateway.token('alice');
    const asked = await gateway.post('/sessions', token, { connection, script: marked(mark) });
    const { session_id: id, review_id } = (await asked.json()) as Record<'session_id' | 'review_id', string>;
    await approve(path.gateway, review_id);
    return id;
  };
  /** Runs the script, and waits until the target executes it. */
  const runOn = async (gateway: GatewayProcess, id: string, mark: string) => {
    const token = await path.gateway.token('alice');
    const answer = gateway.post(`/sessions/${id}/exec`, token, {}).catch(() => undefined);
    await path.untilRunning(new RegExp(mark));
    return { answer };
  };

  const expectUnknown = async (id: string, script: string): Promise<string> => {
    const isOver = async () => (await on.stateOf(id))[0] === 'done';
    await eventually('the session is over', isOver, STARTS_WITHIN_MS);
    // The states of the session and the review change together, so no reader sees only one of the changes.
    expect(await on.stateOf(id)).toEqual(['done', 'UNKNOWN']);
    expect((await path.read(id)).body).toMatchObject({ exit_code: 254, end_date: expect.any(String) });
    expect((await on.exec(id)).body).toEqual({
      message: 'the review was being executed when its gateway stopped',
    });
    const verified = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
    expect(verified.body).toMatchObject({ status: 'valid', faults: [] });
    const [input, ...events] = await path.recording(id);
    expect(input).toEqual(['i', script]);
    // The event about the stop need not be the last, because the replay of a journal stores events after it.
    const ends = events.filter(([type]) => type === 'e');
    expect(ends).toEqual([['e', 'The gateway stopped while this session was running.\n']]);
    return events
      .filter(([type]) => type === 'o')
      .map(([, text]) => text)
      .join('');
  };

  /**
   * Stops the database from storing chunks of this session, so that everything
   * that is recorded stays in the journal.
   */
  const withhold = (id: string) => chunks.begin(id);
  const journaled = (id: string) => journaledOutput(variables['JOURNAL_DIR'] ?? '', id);

  let recorded: string;
  let withheld: string;

  // promises: EXEC-7, LIFE-4
  it(
    'is over, and nobody knows how far it came',
    async () => {
      const gateway = await GatewayProcess.start(variables);
      let answers: Promise<unknown>[] = [];
      let id: string;
      try {
        id = await approvedOn(gateway, 'killed_for_good');
        withheld = await approvedOn(gateway, 'killed_and_replaced');
        await withhold(withheld);
        const runs = [
          await runOn(gateway, id, 'killed_for_good'),
          await runOn(gateway, withheld, 'killed_and_replaced'),
        ];
        answers = runs.map(({ answer }) => answer);
        await eventually(
          'the journal has what the target sent',
          async () => (await journaled(withheld)).length > BEFORE.length - UNSENT,
        );
        for (const each of [id, withheld]) expect(await on.stateOf(each)).toEqual(['open', 'PROCESSING']);
      } finally {
        gateway.kill('SIGKILL');
        await gateway.exited;
      }
      expect(await Promise.all(answers)).toEqual([undefined, undefined]);
      recorded = await journaled(withheld);
      await chunks.end(withheld);
      // Output that was stored in the database. The journal on the gateway's machine may contain more.
      const output = await expectUnknown(id, marked('killed_for_good'));
      expect(BEFORE.startsWith(output)).toBe(true);
    },
    2 * STARTS_WITHIN_MS,
  );

  it(
    'loses nothing of what its machine had recorded',
    async () => {
      expect(BEFORE.startsWith(recorded)).toBe(true);
      const next = await GatewayProcess.start(variables);
      try {
        await expectUnknown(withheld, marked('killed_and_replaced'));
        const stored = () => path.read(withheld, '?event_stream=utf8&events=o');
        await eventually('what was recorded is stored', async () => {
          const [text = ''] = (await stored()).body.event_stream as string[];
          return text.length >= recorded.length;
        });
        expect((await stored()).body.event_stream[0] === recorded).toBe(true);
        const verified = await path.gateway.call('admin', 'GET', `/sessions/${withheld}/verify`);
        expect(verified.body).toMatchObject({ status: 'valid', faults: [] });
        expect(await on.stateOf(withheld)).toEqual(['done', 'UNKNOWN']);
      } finally {
        await next.stop();
      }
    },
    3 * STARTS_WITHIN_MS,
  );
});
