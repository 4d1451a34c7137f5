import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { ROOT } from '../support/root';
import { secretOf } from '../support/target';
import { startFaultProxy } from './fault-proxy';
import { aloneWithMaven } from './maven';
import { COMPILED_WITHIN_MS, expectPublishable, itWith, runIn } from './own-tests';
import { clientFolder, published } from './published';
import type { Command } from './workshop';

/** Number of sessions that the test creates: more than two pages of them. */
const SESSIONS = 230;
const SCRIPTS_AT_ONCE = 8;

/**
 * `npm run test:clients`: tests the clients in clients/ against a built gateway, which runs as a process of
 * its own.
 */
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
      /** Secret of a connection to the target of the test, as JSON. */
      GATEWAY_TARGET: JSON.stringify(secret),
      GATEWAY_SESSIONS: String(SESSIONS),
      WORK: work.path,
      PYTHONDONTWRITEBYTECODE: '1',
    };
  }, COMPILED_WITHIN_MS);

  describe.each(Object.entries(published))('%s', (name, client) => {
    // promises: CLIENT-1
    itWith(client.generatedWith, `${name}: generating it again changes nothing`, async () => {
      const check: Command = [process.execPath, join('scripts', 'generate-clients.mjs'), '--check', name];
      await runIn(ROOT, client.generatedWith.includes('mvn') ? aloneWithMaven(check) : check, {});
    });

    it(`${name}: says its version, has a README and a licence`, () => {
      expectPublishable(name, client.versions);
    });

    // promises: CLIENT-2, CLIENT-3
    itWith(client.tools, `${name}: its tests pass`, async () => {
      for (const command of client.tests) await runIn(clientFolder(name), command, environment);
    });
  });
});
