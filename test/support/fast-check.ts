import * as fastCheck from 'fast-check';
import { relative } from 'node:path';
import { ROOT } from './root';

/**
 * Exports fast-check with a few changes. `assert` reads the number of runs, the seed and the path from the
 * environment, and prints the command that repeats a failure. `test/structure/random-tests.spec.ts` ensures
 * that no other file imports the package.
 */
export * from 'fast-check';

/**
 * Records and dictionaries like those from `JSON.parse`. Objects from fast-check sometimes have no prototype.
 * A JSON parser never makes such objects, and some libraries throw on them (`valueOf`).
 */
export const record = ((model: Record<string, fastCheck.Arbitrary<unknown>>, constraints: object = {}) =>
  fastCheck.record(model, { noNullPrototype: true, ...constraints })) as typeof fastCheck.record;

export const dictionary = ((
  keys: fastCheck.Arbitrary<string>,
  values: fastCheck.Arbitrary<unknown>,
  constraints: fastCheck.DictionaryConstraints = {},
) =>
  fastCheck.dictionary(keys, values, {
    noNullPrototype: true,
    ...constraints,
  })) as typeof fastCheck.dictionary;

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** All characters in the order of their code points, without surrogates. */
const anyCharacter = fastCheck.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  (text) => placeOf(text),
);

/**
 * `fastCheck.string` with another unit `binary`, which makes the same values. That of fast-check begins with
 * a table of all characters, which takes a second, and 85 MB for the rest of the worker.
 */
export const string = (constraints: fastCheck.StringConstraints = {}): fastCheck.Arbitrary<string> =>
  fastCheck.string(constraints.unit === 'binary' ? { ...constraints, unit: anyCharacter } : constraints);

function placeOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('not one character');
  if (point < FIRST_SURROGATE) return point;
  if (point < FIRST_SURROGATE + SURROGATES) throw new Error('a lone surrogate');
  return point - SURROGATES;
}

const DEFAULT_RUNS = 100;

/**
 * Multiplies a number of runs by `TEST_RUNS`. A property that counts cases multiplies the expected minimum
 * count with this function too. `npm run test:long -- properties` sets `TEST_RUNS` to 50, so that each
 * property tries 50 times as many values.
 */
export function runs(count: number): number {
  return count * Number(process.env['TEST_RUNS'] ?? 1);
}

type Settings = fastCheck.Parameters<unknown>;
type Details = fastCheck.RunDetails<unknown>;

function assertAsAsked(property: fastCheck.IRawProperty<unknown>, settings: Settings = {}): unknown {
  const place = placeOfThisAssert();
  const { TEST_SEED, TEST_PATH } = process.env;
  return fastCheck.assert(property as fastCheck.IAsyncProperty<unknown>, {
    ...(TEST_SEED !== undefined && { seed: Number(TEST_SEED) }),
    ...pathFor(place, TEST_PATH),
    ...settings,
    numRuns: runs(settings.numRuns ?? DEFAULT_RUNS),
    reporter: (details: Details) => {
      if (!details.failed) return;
      const message = fastCheck.defaultReportMessage(details);
      const line = repeating(details, place, settings.seed !== undefined);
      throw new Error(`${message}\n\nRepeat it: ${line}\n`, { cause: details.errorInstance });
    },
  });
}

export const assert = assertAsAsked as typeof fastCheck.assert;

interface Place {
  readonly file: string;
  readonly test: string;
  /** Number of the property within its test; 1 for the first property that the test asserts. */
  readonly number: number;
}

let last: Place | undefined;

function placeOfThisAssert(): Place {
  const { testPath = '', currentTestName: test = '' } = expect.getState();
  const file = relative(ROOT, testPath);
  const isSame = last?.file === file && last.test === test;
  return (last = { file, test, number: isSame ? last!.number + 1 : 1 });
}

/** `TEST_PATH` is `2/14:0:1` for the second property of a test, and `14:0:1` for the first. */
function pathFor({ number }: Place, given: string | undefined): Settings {
  if (given === undefined) return {};
  const [first = '', second] = given.split('/');
  const isMeant = number === (second === undefined ? 1 : Number(first));
  return isMeant ? { path: second ?? first, endOnFailure: true } : {};
}

/**
 * Returns the command that repeats a failure. It has no `TEST_PATH` if the test sets its own seed: the test
 * then reads `TEST_SEED` itself, and runs from the first value to the failing value.
 */
function repeating({ seed, counterexamplePath }: Details, place: Place, hasOwnSeed: boolean): string {
  const path = place.number === 1 ? counterexamplePath : `${place.number}/${counterexamplePath}`;
  const known = hasOwnSeed ? `TEST_SEED=${seed}` : `TEST_SEED=${seed} TEST_PATH=${path}`;
  const name = place.test.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return `${known} npx jest ${place.file} -t '${name.replaceAll("'", String.raw`'\''`)}'`;
}
