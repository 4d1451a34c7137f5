import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';
import { startFaultProxy } from './fault-proxy';
import { probes } from './generators';
import { clientFolder, published } from './published';
import type { Command } from './workshop';

/** Compilers and their packages come from registries. */
const PATIENCE_MS = 600_000;

/** More than two pages of sessions. */
const SESSIONS = 230;
const SCRIPTS_AT_ONCE = 8;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const absent = (tools: readonly (keyof typeof probes)[]) =>
  tools.filter((tool) => spawnSync('sh', ['-c', probes[tool]]).status !== 0);

/** A test that is skipped with its reason where tools are absent. */
function itWith(tools: readonly (keyof typeof probes)[], title: string, test: () => Promise<void>): void {
  const missing = absent(tools);
  if (missing.length === 0) {
    it(title, test, PATIENCE_MS);
    return;
  }
  const reason = `${title}: skipped, not installed: ${missing.join(', ')}`;
  process.stderr.write(`${reason}\n`);
  // oxlint-disable-next-line jest/no-disabled-tests
  it.skip(reason, () => undefined);
}

/** npm run test:clients: the clients below clients/, against a built gateway that runs as a process of its own. */
describeProcesses('published clients', ({ begin, folder, target, production }) => {
  const gateway = begin(
    () => GatewayProcess.start({ ...production.variables, JOURNAL_DIR: folder.path }),
    (it) => it.stop(),
  );
  const faults = begin(() => startFaultProxy(gateway.api));
  const work = begin(
    async () => ({ path: await mkdtemp(join(tmpdir(), 'gateway-published-')) }),
    ({ path }) => rm(path, { recursive: true, force: true }),
  );
  let environment: Record<string, string>;

  beforeAll(async () => {
    const token = await production.token();
    const create = async (path: string, body: object): Promise<Record<string, string>> => {
      const answer = await gateway.post(path, token, body);
      if (answer.status >= 300) throw new Error(`POST ${path}: ${await answer.text()}`);
      return (await answer.json()) as Record<string, string>;
    };
    const { key } = await create('/api-keys', { name: 'clients', groups: ['admin'] });
    const secret = secretOf(target);
    await create('/connections', { name: 'orders', type: 'database', subtype: 'postgres', secret });
    let next = 0;
    await Promise.all(
      Array.from({ length: SCRIPTS_AT_ONCE }, async () => {
        while (next < SESSIONS) {
          next += 1;
          await create('/sessions', {
            connection: 'orders',
            script: `SELECT ${next}`,
            correlation_id: 'many',
          });
        }
      }),
    );
    environment = {
      GATEWAY_API: gateway.api,
      GATEWAY_KEY: String(key),
      GATEWAY_TOKEN: token,
      GATEWAY_FAULTS: faults.address,
      /** The secret of a connection. */
      GATEWAY_TARGET: JSON.stringify(secret),
      GATEWAY_SESSIONS: String(SESSIONS),
      WORK: work.path,
      PYTHONDONTWRITEBYTECODE: '1',
    };
  }, PATIENCE_MS);

  describe.each(Object.entries(published))('%s', (name, client) => {
    // promises: CLIENT-1
    itWith(client.generatedWith, `${name}: generating it again changes nothing`, async () => {
      await run([process.execPath, join('scripts', 'generate-clients.mjs'), '--check', name], ROOT, {});
    });

    it(`${name}: says its version, has a README and a licence`, () => {
      const read = (file: string) => readFileSync(join(clientFolder(name), file), 'utf8');
      const said = Object.entries(client.versions).map(([file, pattern]) => [
        file,
        pattern.exec(read(file))?.[1],
      ]);
      expect(said).toEqual(Object.keys(client.versions).map((file) => [file, version]));
      expect(read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
      expect(existsSync(join(clientFolder(name), 'README.md'))).toBe(true);
    });

    // promises: CLIENT-2, CLIENT-3
    itWith(client.tools, `${name}: its tests pass`, async () => {
      for (const command of client.tests) await run(command, clientFolder(name), environment);
    });
  });
});

/** Not blocking: the identity provider and the proxy live in this process. */
async function run(
  [program, ...parameters]: Command,
  cwd: string,
  more: Record<string, string>,
): Promise<void> {
  const expand = (text: string) => text.replace('$WORK', more['WORK'] ?? '');
  await promisify(execFile)(expand(program), parameters.map(expand), {
    cwd,
    env: { ...process.env, ...more },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { message: string; stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
  });
}
