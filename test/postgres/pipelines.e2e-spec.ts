import { appendFileSync } from 'node:fs';
import { describeScoped } from '../support/describe';
import { volume } from '../support/volume';
import { compareMany, EXAMPLES, MESSAGES_OF_A_SERVER } from '../support/wire/campaign';
import { report } from '../support/wire/compare';
import { faultsLogged } from '../support/wire/logged-faults';
import { startProxiedWorld, waysOf } from '../support/wire/proxied-world';
import { UNTOUCHED_BY } from '../support/wire/rules';
import { SEED } from '../support/seed';

/** Variables that `npm run test:wire` sets for a longer run (scripts/test-wire.mjs). A seed repeats a run. */
const { WIRE_PIPELINES, WIRE_SEED, WIRE_REPORT } = process.env;
const PIPELINES = Number(WIRE_PIPELINES ?? volume(20, 100));
const START = WIRE_SEED === undefined ? SEED : Number(WIRE_SEED);

jest.setTimeout(480_000 + PIPELINES * 1_200);

describeScoped(`random pipelines from seed ${START}, directly and through the gateway`, (begin) => {
  const world = begin(startProxiedWorld);

  it.each([
    ['without-rules', {}, undefined, 0],
    ['recorded-row-by-row', { record_results: true }, undefined, 1],
    ['under-rules', {}, UNTOUCHED_BY, 2],
  ])('are answered with the same bytes: %s', async (name, connection, rules, way) => {
    const through = waysOf(await world.open(name, connection, rules), world);
    const direct = { connectionString: world.twins.urls[0] };
    const reset = (): Promise<void> => world.twins.reset();
    const options = { withoutDoubt: true };
    // Each of the three ways gets its own seeds, so that it runs other pipelines.
    const seed = START + way * PIPELINES;
    const campaign = { direct, through, reset, examples: EXAMPLES, pipelines: PIPELINES, seed, options };
    const findings = await compareMany(campaign);
    const { differences, parameters, seen, ...figures } = findings;
    if (WIRE_REPORT !== undefined)
      appendFileSync(
        WIRE_REPORT,
        `${JSON.stringify({ way: name, ...figures, differences: differences.length })}\n`,
      );
    expect(differences.map(report)).toEqual([]);
    expect(parameters).toEqual([]);
    expect(findings.pipelines).toBe(EXAMPLES.length + PIPELINES);
    expect(world.gateway.stderr).toBe('');
    expect(faultsLogged(world.gateway)).toEqual([]);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...MESSAGES_OF_A_SERVER]));
  });
});
