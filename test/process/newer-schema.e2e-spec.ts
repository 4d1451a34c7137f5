import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SCHEMA_VERSION } from '../../src/platform/database/schema/schema-version';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/free-port';
import { GatewayProcess, until } from '../support/gateway-process';
import { NEXT_MIGRATION, migrateByNextVersion, renamed, undoNextVersion } from '../support/next-version';
import { ROOT } from '../support/root';
import { scrapeMetrics, sumOf } from '../support/scrape';

const STARTS_WITHIN_MS = 240_000;

describeProcesses('a gateway whose schema has moved on', ({ folder, database, production }) => {
  let gateway: GatewayProcess;
  let metricsPort: string;

  beforeAll(async () => {
    metricsPort = String(await freePort());
    gateway = await GatewayProcess.start({
      ...production.variables,
      JOURNAL_DIR: join(folder.path, 'journal'),
      METRICS_PORT: metricsPort,
    });
  }, STARTS_WITHIN_MS);

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  const readiness = async (): Promise<[number, unknown]> => {
    const response = await gateway.get('/readyz');
    return [response.status, await response.json()];
  };

  const linesOf = (like: RegExp) => gateway.logLines().filter(({ msg }) => like.test(String(msg)));

  const metric = async (name: string, labels = {}): Promise<number> =>
    sumOf(await scrapeMetrics(metricsPort), name, labels);

  // promises: UPGRADE-4
  it('names its versions', async () => {
    const run = promisify(execFile);
    const line = `access-gateway 0.1.0, API 1.180.0, schema ${SCHEMA_VERSION}\n`;
    for (const program of ['main', 'doctor']) {
      const { stdout } = await run(process.execPath, [join(ROOT, `dist/bundle/${program}.js`), '--version']);
      expect([program, stdout]).toEqual([program, line]);
    }
    const info = await (await gateway.get('/serverinfo', await production.token())).json();
    expect(info).toMatchObject({
      version: '1.180.0',
      program_version: '0.1.0',
      schema_version: SCHEMA_VERSION,
      database_schema_version: SCHEMA_VERSION,
    });
  });

  // promises: UPGRADE-3, READY-1
  it('notices by itself that a newer version has added to it, and stays in service', async () => {
    expect(await readiness()).toEqual([200, { status: 'ok', warnings: [] }]);
    expect(await metric('gateway_database_migrations')).toBe(0);
    const next = { up: ['CREATE TABLE next_table (id integer)'], down: ['DROP TABLE next_table'] };
    await migrateByNextVersion(database, next);
    await gateway.says(`The database was migrated by a newer version of the gateway (${NEXT_MIGRATION})`);
    expect(await metric('gateway_database_migrations', { state: 'newer' })).toBe(1);
    expect(await readiness()).toEqual([
      200,
      {
        status: 'ok',
        warnings: [
          `a newer version of the gateway has migrated the database (${NEXT_MIGRATION}): upgrade this gateway, which answers 503 where it needs what was changed`,
        ],
      },
    ]);
    const token = await production.token();
    expect((await gateway.get('/attributes', token)).status).toBe(200);
    const info = await (await gateway.get('/serverinfo', token)).json();
    expect(info).toMatchObject({
      schema_version: SCHEMA_VERSION,
      database_schema_version: NEXT_MIGRATION,
    });
    expect(linesOf(/newer version of the gateway/).map(({ level }) => level)).toEqual([40]);
    await undoNextVersion(database, next);
    expect(await readiness()).toEqual([200, { status: 'ok', warnings: [] }]);
    await gateway.says('The schema of the database is that of this version again');
  });

  // promises: UPGRADE-3, READY-1
  it('says 503 in words at once where what it needs is gone', async () => {
    const token = await production.token();
    const next = renamed(['attributes']);
    await migrateByNextVersion(database, next);
    // Uses a page size that no request had before, because a repeated request may be answered from a cache.
    const answer = await gateway.get('/attributes?page_size=7', token);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '30',
      {
        message: expect.stringMatching(
          /^this gateway is older than its database.+ has to upgrade this gateway$/,
        ),
      },
    ]);
    expect(await readiness()).toEqual([
      503,
      {
        message: `a newer version of the gateway has migrated the database (${NEXT_MIGRATION}), and what this one needs is gone: upgrade this gateway`,
      },
    ]);
    expect((await gateway.get('/connections', token)).status).toBe(200);
    expect(linesOf(/What this version needs is gone \(attributes\./).map(({ level }) => level)).toEqual([50]);
    expect(await metric('gateway_schema_faults_total')).toBeGreaterThan(0);
    await undoNextVersion(database, next);
    await until(async () => (await readiness())[0] === 200);
    expect((await gateway.get('/attributes?page_size=7', token)).status).toBe(200);
    expect(linesOf(/A request failed/)).toEqual([]);
  });
});
