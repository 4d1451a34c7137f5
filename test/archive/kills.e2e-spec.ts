import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BUCKET_STATES, KillingProxy, MOMENTS } from '../support/archive/killing-proxy';
import { startMoto } from '../support/archive/moto-server';
import { SmallS3 } from '../support/archive/small-s3';
import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { GatewayProcess } from '../support/gateway-process';
import { Random } from '../support/ledger/random';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

/** `npm run test:archive` sets these. Without the program of moto, the bucket is that of the tests. */
const { ARCHIVE_KILLS, ARCHIVE_MOTO, ARCHIVE_REPORT, ARCHIVE_SEED = 'archive' } = process.env;
const KILLS = Number(ARCHIVE_KILLS ?? volume(2, 10));
const SCRIPTS = 3;
/** A step that a move does not come to, because the bucket fails before, is not waited for any longer. */
const STEP_WITHIN_MS = 12_000;

jest.setTimeout(300_000 + KILLS * 60_000);

describeProcesses(
  'a gateway that is killed while recordings move',
  ({ database, target, production, folder, begin }) => {
    const bucket = begin(async () =>
      ARCHIVE_MOTO === undefined ? SmallS3.start() : startMoto(ARCHIVE_MOTO),
    );
    const proxy = begin(() => KillingProxy.start(bucket.port));
    const random = new Random(ARCHIVE_SEED);
    const oneOf = <T>(all: readonly T[]): T => all[random.between(0, all.length - 1)] as T;

    const start = () =>
      GatewayProcess.start({
        ...production.variables,
        DATA_DIR: `${folder.path}/data`,
        ARCHIVE_URL: `http://127.0.0.1:${proxy.port}`,
        ARCHIVE_BUCKET: 'recordings',
        ARCHIVE_ACCESS_KEY_ID: 'test-key',
        ARCHIVE_SECRET_ACCESS_KEY: 'test-secret',
        ARCHIVE_ALLOWED_HOSTS: '127.0.0.1',
        ARCHIVE_AFTER_MINUTES: '0',
        ARCHIVE_TIMEOUT_SECONDS: '1',
      });
    const waiting = async () => {
      await database.query(`UPDATE session_archives SET next_at = now() WHERE state = 'waiting'`);
      const [row] = await database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM sessions WHERE status <> 'done'
         OR NOT EXISTS (SELECT FROM session_archives WHERE session_id = id AND state = 'archived')`,
      );
      return row?.waiting ?? -1;
    };

    // promises: ARCHIVE-3
    it('loses, doubles and breaks no recording, whatever the bucket does', async () => {
      const markers = new Map<string, string>();
      const steps: Record<string, number> = {};
      let gateway = await start();
      const secret = secretOf(target);
      const connection = { name: 'orders', type: 'database', subtype: 'postgres', secret };
      expect((await gateway.post('/connections', await production.token(), connection)).status).toBe(201);
      for (let kill = 0; kill < KILLS; kill++) {
        for (let n = 0; n < SCRIPTS; n++) {
          const marker = `mark-${kill}-${n}`;
          const answer = await gateway.post('/sessions', await production.token(), {
            connection: 'orders',
            script: `SELECT '${marker}' || repeat('x', 1000)`,
          });
          expect(answer.status).toBe(200);
          markers.set(((await answer.json()) as { session_id: string }).session_id, marker);
        }
        // Half of the kills come while the bucket is well: only then all steps are reached.
        proxy.state = random.next() < 0.5 ? 'well' : oneOf(BUCKET_STATES);
        const [method, moment] = [oneOf(['PUT', 'PUT', 'GET', 'HEAD']), oneOf(MOMENTS)];
        const reached = new Promise<boolean>((resolve) => proxy.set(method, moment, () => resolve(true)));
        await waiting();
        const wasReached = await Promise.race([reached, delay(STEP_WITHIN_MS, false)]);
        gateway.kill('SIGKILL');
        await gateway.exited;
        const step = `${proxy.state} ${wasReached ? `${method} ${moment}` : 'at any time'}`;
        steps[step] = (steps[step] ?? 0) + 1;
        gateway = await start();
      }
      proxy.state = 'well';
      await eventually(
        'all recordings have moved',
        async () => (await waiting()) === 0,
        240_000 + KILLS * 10_000,
      );
      const found = await verdictOf(gateway, markers);
      const report = {
        kills: KILLS,
        bucket: ARCHIVE_MOTO === undefined ? 'tests' : 'moto',
        recordings: markers.size,
        ...found,
        steps,
      };
      if (ARCHIVE_REPORT !== undefined) appendFileSync(ARCHIVE_REPORT, `${JSON.stringify(report)}\n`);
      await gateway.stop();
      expect(found).toEqual({ lost: 0, doubled: 0, unverifiable: 0, left_in_postgresql: 0 });
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
