import { appendFileSync } from 'node:fs';
import { describeScoped } from '../support/describe';
import { compareMany } from '../support/wire/campaign';
import { report } from '../support/wire/compare';
import { faultsLogged } from '../support/wire/logged-faults';
import { startProxiedWorld, waysOf } from '../support/wire/proxied-world';
import { UNTOUCHED_BY } from '../support/wire/rules';

/** The short form; `npm run test:wire` sets more (scripts/test-wire.mjs). A seed makes the same pipelines again. */
const { WIRE_PIPELINES = '100', WIRE_SEED = String(Date.now() % 1_000_000_000), WIRE_REPORT } = process.env;
const PIPELINES = Number(WIRE_PIPELINES);
const SEED = Number(WIRE_SEED);

jest.setTimeout(480_000 + PIPELINES * 1_200);

describeScoped(`random pipelines from seed ${SEED}, directly and through the gateway`, (begin) => {
  const world = begin(startProxiedWorld);

  beforeAll(async () => {});

  it.each([
    ['without-rules', {}, undefined],
    ['recorded-row-by-row', { record_results: true }, undefined],
    ['under-rules', {}, UNTOUCHED_BY],
  ])('are answered with the same bytes: %s', async (name, connection, rules) => {
    const through = waysOf(await world.open(name, connection, rules), world);
    const direct = { connectionString: world.twins.urls[0] };
    const reset = (): Promise<void> => world.twins.reset();
    const options = { withoutDoubt: true };
    const findings = await compareMany({ direct, through, reset, pipelines: PIPELINES, seed: SEED, options });
    const { differences, parameters, seen, ...figures } = findings;
    if (WIRE_REPORT !== undefined)
      appendFileSync(
        WIRE_REPORT,
        `${JSON.stringify({ way: name, ...figures, differences: differences.length })}\n`,
      );
    expect(differences.map(report)).toEqual([]);
    expect(parameters).toEqual([]);
    expect(findings.pipelines).toBe(PIPELINES);
    expect(world.gateway.stderr).toBe('');
    expect(faultsLogged(world.gateway)).toEqual([]);
    // Whatever a server can say was said: a pipeline that holds nothing compares nothing.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...'123CDGHINSTZcdnst']));
  });
});
