import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Query } from 'pg';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

jest.setTimeout(480_000);

const ROWS = 300_000;
/**
 * Maximum growth of the gateway's memory in MB. Data that wait to be recorded may use 64 MB, and some garbage
 * is not collected yet. The optimizing compiler of V8 once used 600 MB to compile the SQL parser.
 */
const MOST_MB = 200;

describeProcesses('memory', ({ folder, target, production }) => {
  it('the SQL parser is never compiled by the optimizing compiler, which takes 600 MB for it', async () => {
    const built = (file: string): string => JSON.stringify(join(ROOT, 'dist', 'src', file));
    const program = `require(${built('kernel/runtime/engine-flags.js')});
      const { loadParserEngine, parseTree } = require(${built('languages/postgresql/parsing/parser-engine.js')});
      loadParserEngine().then(async () => {
        for (let n = 0; n < 3_000; n++) {
          parseTree('SELECT ' + n);
          if (n % 50 === 0) await new Promise(setImmediate);
        }
      });`;
    const traced = ['--trace-wasm-compilation-times', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, traced, { maxBuffer: 64 * 1024 * 1024 });
    expect(stdout).toContain('using Liftoff');
    expect(stdout).not.toContain('using TurboFan');
  });

  it('a guarded result of many rows, selected or copied, grows the process by little', async () => {
    if (process.platform !== 'linux')
      return console.warn('not tried: only Linux tells the most that a process took');
    await target.query(
      `CREATE TABLE many AS SELECT n AS id, 'Customer number ' || n AS name,
         CASE WHEN n % 100 = 0 THEN 'customer' || n || '@example.com' ELSE 'not given' END AS contact
       FROM generate_series(1, ${ROWS}) AS n`,
    );
    const token = await production.token();
    const gateway = await GatewayProcess.start({
      ...production.variables,
      POSTGRES_PROXY_PORT: String(await freePort()),
      JOURNAL_DIR: folder.path,
    });
    try {
      const client = await guardedClient(gateway, token);
      resetMost(gateway.pid);
      const before = mostMegabytes(gateway.pid);
      for (let rounds = 0; rounds < volume(1, 2); rounds += 1)
        for (const sql of ['SELECT * FROM many', 'COPY many TO STDOUT']) await discarding(client, sql);
      await client.end();
      expect(mostMegabytes(gateway.pid) - before).toBeLessThan(MOST_MB);
    } finally {
      await gateway.stop();
    }
  });

  async function guardedClient(gateway: GatewayProcess, token: string): Promise<Client> {
    const connection = { name: 'many', type: 'database', subtype: 'postgres', secret: secretOf(target) };
    const made = await gateway.post('/connections', token, connection);
    const { id } = (await made.json()) as { id: string };
    const rule = { words: [], pattern_regex: '' };
    await gateway.post('/guardrails', token, {
      name: 'addresses',
      connection_ids: [id],
      input: { rules: [{ ...rule, type: 'sql_statement', kinds: ['drop'] }] },
      output: { rules: [{ ...rule, type: 'detector', detectors: ['email'], action: 'mask' }] },
    });
    const issued = await gateway.post('/connections/many/credentials', token, {});
    const { connection_credentials } = (await issued.json()) as {
      connection_credentials: { connection_string: string };
    };
    const client = new Client(connection_credentials.connection_string.replace('?sslmode=disable', ''));
    await client.connect();
    return client;
  }
});

/** Runs a statement and discards its rows. */
function discarding(client: Client, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = client.query(new Query(sql));
    query.on('row', () => undefined);
    query.on('error', reject);
    query.on('end', () => resolve());
  });
}

/** Resets the peak of the process's resident memory (VmHWM). */
function resetMost(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the peak of the process's resident memory since the last reset. */
function mostMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
