import { appendFileSync } from 'node:fs';
import { resultWithin } from '../../src/kernel/async/timeout';
import { STEPS, type Step } from '../support/archive/bucket-faults';
import { startBucketServer } from '../support/archive/bucket-servers';
import { KillingProxy } from '../support/archive/killing-proxy';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { GatewayProcess } from '../support/gateway-process';
import { Random } from '../support/ledger/random';
import { secretOf } from '../support/target';

/** Settings of `npm run test:archive`. Without a storage program, the tests use their own bucket. */
const {
  ARCHIVE_KILLS,
  ARCHIVE_MOTO: moto,
  ARCHIVE_VERSITYGW: versitygw,
  ARCHIVE_REPORT,
  ARCHIVE_SEED = 'archive',
} = process.env;
const KILLS = Number(ARCHIVE_KILLS ?? 8);
const SCRIPTS = 3;
/** One in this number of recordings is long, and has more than one segment in the archive. */
const LONG_EVERY = 20;
/** A script with 19 MB of output, which compresses to half of its size. */
const LONG = `SELECT '<marker>' || repeat('x', 1000) UNION ALL
  SELECT string_agg(md5((m * 1000 + n)::text), '') FROM generate_series(1, 600) AS m, generate_series(1, 1000) AS n GROUP BY m`;
const STEP_WITHIN_MS = 60_000;
/** A kill at this step leaves an object without a row. The next gateway sends a HEAD request for it. */
const STORED_UNSEEN: Step = { method: 'PUT', fault: 'well', moment: 'unanswered' };

jest.setTimeout(300_000 + KILLS * 60_000);

describeProcesses(
  `a gateway that is killed while recordings move, from seed ${ARCHIVE_SEED}`,
  ({ database, target, production, folder, begin }) => {
    const bucket = begin(() => startBucketServer({ moto, versitygw }));
    const proxy = begin(() => KillingProxy.start(bucket.port, new Random(ARCHIVE_SEED).of('moments')));
    /** A gateway that records scripts, and moves no recordings to the archive. */
    const recorder = begin(
      () => GatewayProcess.start({ ...production.variables, DATA_DIR: `${folder.path}/recorder` }),
      (it) => it.stop(),
    );

    const startMover = async () =>
      GatewayProcess.spawn({
        ...production.variables,
        PORT: String(await freePort()),
        DATA_DIR: `${folder.path}/mover`,
        ARCHIVE_URL: `http://127.0.0.1:${proxy.port}`,
        ARCHIVE_BUCKET: 'recordings',
        ARCHIVE_ACCESS_KEY_ID: 'test-key',
        ARCHIVE_SECRET_ACCESS_KEY: 'test-secret',
        ARCHIVE_ALLOWED_HOSTS: '127.0.0.1',
        ARCHIVE_AFTER_MINUTES: '0',
        ARCHIVE_TIMEOUT_SECONDS: '1',
      });
    /** Lets the gateway try to move all waiting recordings now. Returns how many are still waiting. */
    const waiting = async () => {
      await database.query(`UPDATE session_archives SET next_at = now() WHERE state = 'waiting'`);
      const [row] = await database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM sessions WHERE status <> 'done'
         OR NOT EXISTS (SELECT FROM session_archives WHERE session_id = id AND state = 'archived')`,
      );
      return row?.waiting ?? -1;
    };
    const record = async (marker: string, isLong: boolean): Promise<string> => {
      const script = isLong ? LONG.replace('<marker>', marker) : `SELECT '${marker}' || repeat('x', 1000)`;
      const answer = await recorder.post('/sessions', await production.token(), {
        connection: 'orders',
        script,
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { session_id: string }).session_id;
    };

    // promises: ARCHIVE-3
    it('loses, doubles and breaks no recording, whatever the bucket does', async () => {
      const secret = secretOf(target);
      const connection = { name: 'orders', type: 'database', subtype: 'postgres', secret };
      expect((await recorder.post('/connections', await production.token(), connection)).status).toBe(201);
      const markers = new Map<string, string>();
      const steps: Record<string, number> = {};
      let missed = 0;
      for (const [kill, step] of stepsOf(KILLS, new Random(ARCHIVE_SEED)).entries()) {
        for (let n = 0; n < SCRIPTS; n++) {
          const marker = `mark-${kill}-${n}`;
          markers.set(await record(marker, markers.size % LONG_EVERY === LONG_EVERY - 1), marker);
        }
        await waiting();
        const reached = proxy.reached(step);
        const mover = await startMover();
        const died = mover.exited.then(() => mover.mustRun());
        const wasReached =
          (await resultWithin(Promise.race([reached.then(() => true), died]), STEP_WITHIN_MS)) === true;
        mover.kill('SIGKILL');
        await mover.exited;
        if (!wasReached) missed += 1;
        const name = `${step.method} ${step.fault}, ${wasReached ? step.moment : 'not reached'}`;
        steps[name] = (steps[name] ?? 0) + 1;
      }
      proxy.heal();
      const mover = await startMover();
      await eventually(
        'all recordings have moved',
        async () => (await waiting()) === 0,
        240_000 + KILLS * 10_000,
      );
      const found = await verdictOf(mover, markers);
      await mover.stop();
      const report = { kills: KILLS, missed, bucket: bucket.name, recordings: markers.size, ...found, steps };
      if (ARCHIVE_REPORT !== undefined) appendFileSync(ARCHIVE_REPORT, `${JSON.stringify(report)}\n`);
      expect(found).toEqual({ lost: 0, doubled: 0, unverifiable: 0, left_in_postgresql: 0 });
      expect(missed).toBe(0);
    });

    async function verdictOf(gateway: GatewayProcess, markers: ReadonlyMap<string, string>) {
      const found = { lost: 0, doubled: 0, unverifiable: 0, left_in_postgresql: 0 };
      const token = await production.token();
      for (const [id, marker] of markers) {
        const text = await (await gateway.get(`/sessions/${id}?extension=txt`, token)).text();
        const times = text.split(`${marker}x`).length - 1;
        if (times === 0) found.lost += 1;
        if (times > 1) found.doubled += 1;
        const { status } = (await (await gateway.get(`/sessions/${id}/verify`, token)).json()) as {
          status: string;
        };
        if (status !== 'valid') found.unverifiable += 1;
      }
      const [row] = await database.query<{ chunks: number }>(
        'SELECT count(*)::int AS chunks FROM session_chunks',
      );
      found.left_in_postgresql = row?.chunks ?? -1;
      return found;
    }
  },
);

/**
 * Repeats all steps at which the gateway is killed, in a new random order each time, so that all are tried
 * equally often. A step with a HEAD request needs one more kill before it (`STORED_UNSEEN`).
 */
function stepsOf(count: number, random: Random): Step[] {
  const steps: Step[] = [];
  while (steps.length < count) {
    const shuffled = STEPS.map((step) => ({ step, place: random.next() })).sort(
      (one, other) => one.place - other.place,
    );
    for (const { step } of shuffled) steps.push(...(step.method === 'HEAD' ? [STORED_UNSEEN] : []), step);
  }
  return steps.slice(0, count);
}
