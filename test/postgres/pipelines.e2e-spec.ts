import { appendFileSync } from 'node:fs';
import { describeScoped } from '../support/describe';
import { volume } from '../support/volume';
import { compareMany } from '../support/wire/campaign';
import { report } from '../support/wire/compare';
import { faultsLogged } from '../support/wire/logged-faults';
import { startProxiedWorld, waysOf } from '../support/wire/proxied-world';
import { UNTOUCHED_BY } from '../support/wire/rules';
import { SEED } from '../support/seed';

/** `npm run test:wire` sets more (scripts/test-wire.mjs). A seed makes the same pipelines again. */
const { WIRE_PIPELINES, WIRE_SEED, WIRE_REPORT } = process.env;
const PIPELINES = Number(WIRE_PIPELINES ?? volume(20, 100));
const START = WIRE_SEED === undefined ? SEED : Number(WIRE_SEED);
/** With this many pipelines, each message of the server occurs in some. */
const MANY = 100;
/** The messages of a server: a pipeline without any would compare nothing. */
const WHATEVER_A_SERVER_SAYS = expect.arrayContaining([...'123CDGHINSTZcdnst']) as unknown;

jest.setTimeout(480_000 + PIPELINES * 1_200);

describeScoped(`random pipelines from seed ${START}, directly and through the gateway`, (begin) => {
  const world = begin(startProxiedWorld);
  const said = new Set<string>();

  it.each([
    ['without-rules', {}, undefined, 0],
    ['recorded-row-by-row', { record_results: true }, undefined, 1],
    ['under-rules', {}, UNTOUCHED_BY, 2],
  ])('are answered with the same bytes: %s', async (name, connection, rules, way) => {
    const through = waysOf(await world.open(name, connection, rules), world);
    const direct = { connectionString: world.twins.urls[0] };
    const reset = (): Promise<void> => world.twins.reset();
    const options = { withoutDoubt: true };
    // With few pipelines, each way gets other ones.
    const seed = PIPELINES < MANY ? START + way * PIPELINES : START;
    const findings = await compareMany({ direct, through, reset, pipelines: PIPELINES, seed, options });
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
    for (const type of seen.keys()) said.add(type);
    if (PIPELINES >= MANY) expect([...seen.keys()]).toEqual(WHATEVER_A_SERVER_SAYS);
  });

  it('contain every message that a server can send', () => {
    expect([...said]).toEqual(WHATEVER_A_SERVER_SAYS);
  });
});
