import { appendFileSync } from 'node:fs';
import { Client, type ClientConfig } from 'pg';
import { type TlsTarget, ROLE_PASSWORD, startTlsTarget, whyNoTlsTarget } from '../support/tls-target';
import { compareMany, EXAMPLES, MESSAGES_OF_A_SERVER } from '../support/wire/campaign';
import { report } from '../support/wire/compare';
import { faultsLogged } from '../support/wire/logged-faults';
import { type ProxiedWorld, startProxiedWorld, waysOf } from '../support/wire/proxied-world';
import { UNTOUCHED_BY } from '../support/wire/rules';
import { SEED } from '../support/seed';

/** Variables with the same meaning as in `pipelines.e2e-spec.ts`, but a quarter of the pipelines are run. */
const { WIRE_PIPELINES = '100', WIRE_SEED, WIRE_REPORT } = process.env;
const PIPELINES = Math.ceil(Number(WIRE_PIPELINES) / 4);
const START = WIRE_SEED === undefined ? SEED : Number(WIRE_SEED);

jest.setTimeout(480_000 + PIPELINES * 1_200);

const why = whyNoTlsTarget();
const describeHere = why === undefined ? describe : describe.skip;

describeHere(`a target in TLS${why === undefined ? '' : ` (skipped: ${why})`}, from seed ${START}`, () => {
  let target: TlsTarget;
  let world: ProxiedWorld;

  beforeAll(async () => {
    target = await startTlsTarget();
    await target.query('ALTER ROLE by_scram SUPERUSER');
    const serverUrl = `postgres://by_scram:${encodeURIComponent(ROLE_PASSWORD)}@127.0.0.1:${target.port}/postgres`;
    world = await startProxiedWorld({ serverUrl, sslmode: 'require' });
  });

  afterAll(async () => {
    await world?.close();
    await target?.stop();
  });

  it('answers with the same bytes as without a gateway and without TLS', async () => {
    const config = await world.open('in-tls', {}, UNTOUCHED_BY);
    const through = waysOf(config, world);
    const findings = await compareMany({
      direct: { connectionString: world.twins.urls[0] },
      through,
      reset: () => world.twins.reset(),
      examples: EXAMPLES,
      pipelines: PIPELINES,
      seed: START,
      options: { withoutDoubt: true },
    });
    const { differences, parameters, seen, ...figures } = findings;
    if (WIRE_REPORT !== undefined) {
      const line = { way: 'target-in-tls', ...figures, differences: differences.length };
      appendFileSync(WIRE_REPORT, `${JSON.stringify(line)}\n`);
    }
    expect(differences.map(report)).toEqual([]);
    expect(parameters).toEqual([]);
    expect(findings.pipelines).toBe(EXAMPLES.length + PIPELINES);
    expect(await isEncrypted(config)).toBe(true);
    expect(faultsLogged(world.gateway)).toEqual([]);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...MESSAGES_OF_A_SERVER]));
  });
});

/** Whether the connection between the gateway and its target uses TLS. */
async function isEncrypted(config: ClientConfig): Promise<boolean | undefined> {
  const client = new Client(config);
  await client.connect();
  const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  const { rows } = await client.query<{ ssl: boolean }>(sql);
  await client.end();
  return rows[0]?.ssl;
}
