import { appendFileSync } from 'node:fs';
import { Client, type ClientConfig } from 'pg';
import { describeScoped } from '../support/describe';
import { residentMegabytes } from '../support/memory';
import { floodWith } from '../support/wire/flood';
import { faultsLogged } from '../support/wire/logged-faults';
import { startProxiedWorld } from '../support/wire/proxied-world';
import { volume } from '../support/volume';
import { SEED } from '../support/seed';

/** `npm run test:wire` sets these variables for a longer run (scripts/test-wire.mjs). */
const { WIRE_MESSAGES, WIRE_SEED, WIRE_REPORT } = process.env;
const MESSAGES = Number(WIRE_MESSAGES ?? volume(700, 5_000));
const START = WIRE_SEED === undefined ? SEED : Number(WIRE_SEED);

jest.setTimeout(480_000 + MESSAGES * 20);

describeScoped(`broken messages from seed ${START}`, (begin) => {
  const world = begin(startProxiedWorld);
  let config: ClientConfig;

  beforeAll(async () => {
    config = await world.open('flooded');
  });

  const serveGood = async (): Promise<void> => {
    const client = new Client(config);
    await client.connect();
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM fixed');
    await client.end();
    if (rows[0]?.n !== 50) throw new Error('somebody else was answered');
  };

  it('block nothing, end nothing, and other clients are served', async () => {
    const { port, tls, gateway } = world;
    const megabytes: (number | undefined)[] = [];
    const tally = await floodWith({
      port,
      tls,
      signIn: config,
      count: MESSAGES,
      seed: START,
      serveGood: () => serveGood().finally(() => megabytes.push(residentMegabytes(gateway.pid))),
    });
    const { kinds, badSeeds, ...figures } = tally;
    if (WIRE_REPORT !== undefined)
      appendFileSync(
        WIRE_REPORT,
        `${JSON.stringify({ broken: kinds.size, tls, ...figures, gateway_mb: megabytes })}\n`,
      );
    expect(badSeeds).toEqual([]);
    expect(tally.outcomes).toMatchObject({ hung: 0, refused: 0 });
    expect(tally.messages).toBeGreaterThanOrEqual(MESSAGES);
    expect(gateway.stderr).toBe('');
    expect(faultsLogged(gateway)).toEqual([]);
    expect((await gateway.get('/readyz')).status).toBe(200);
  });
});
