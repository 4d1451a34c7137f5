import { appendFileSync } from 'node:fs';
import { compareMany } from './support/wire/campaign';
import { report } from './support/wire/compare';
import { faultsLogged } from './support/wire/logged-faults';
import { type ProxiedWorld, startProxiedWorld, waysOf } from './support/wire/proxied-world';

/** The short form; `npm run test:wire` sets more (scripts/test-wire.mjs). A seed makes the same pipelines again. */
const { WIRE_PIPELINES = '100', WIRE_SEED = String(Date.now() % 1_000_000_000), WIRE_REPORT } = process.env;
const PIPELINES = Number(WIRE_PIPELINES);
const SEED = Number(WIRE_SEED);

jest.setTimeout(120_000 + PIPELINES * 300);

/** Words and patterns that are nowhere in what the pipelines send and bring (card numbers are: in hexadecimal digits). */
const RULES = {
  input: {
    rules: [
      { type: 'deny_words_list', words: ['no such word'], pattern_regex: '' },
      { type: 'pattern_match', words: [], pattern_regex: 'no such \\d+ pattern' },
      { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['grant'], unparseable: 'allow' },
    ],
  },
  output: {
    rules: [
      { type: 'deny_words_list', words: ['no such word'], pattern_regex: '' },
      {
        type: 'detector',
        words: [],
        pattern_regex: '',
        detectors: ['us_ssn', 'aws_key'],
        action: 'mask',
      },
    ],
  },
};

describe(`random pipelines from seed ${SEED}, directly and through the gateway`, () => {
  let world: ProxiedWorld;

  beforeAll(async () => {
    world = await startProxiedWorld();
  });

  afterAll(() => world.close());

  it.each([
    ['without-rules', {}, undefined],
    ['recorded-row-by-row', { record_results: true }, undefined],
    ['under-rules', {}, RULES],
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
