// npm run bench -- readers: the time for which each parser of external input blocks its thread, for generated
// texts.
import { jsonShapes, randomNumbers, textShapes } from './bodies/texts.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { readers } from './readers/table.mjs';

const SEED = bounded('BENCH_SEED', 1, 0, 2 ** 31);
/** Number of random texts, in addition to the fixed combinations of text pieces. */
const COUNT = bounded('BENCH_TEXTS', 200, 0, 100_000);
/** Seconds for one parser. Texts that were not parsed by then are counted. */
const SECONDS = bounded('BENCH_SECONDS', 4, 1, 3_600);
const PROMISED_MS = 50;
/**
 * Number of measurements of each of the slowest texts. The shortest time counts, because other processes may
 * interrupt a measurement.
 */
const AGAIN = 5;
/**
 * Growth above which a parser is reported. For a text that is four times as long, a linear parser takes four
 * times as long, and a quadratic parser sixteen times.
 */
const STEEP = 9;
/** Milliseconds below which a time proves nothing about growth. */
const SHORT_MS = 0.5;

export default async function bench() {
  const all = readers();
  const wanted = listed(
    'BENCH_READERS',
    all.map(({ name }) => name),
    all.map(({ name }) => name),
  );
  const texts = shuffled([...textShapes(SEED, COUNT), ...jsonShapes()]);
  const rows = [];
  for (const reader of all.filter(({ name }) => wanted.includes(name))) rows.push(measured(reader, texts));
  rows.sort((a, b) => b.worst - a.worst);
  console.log('longest time without a break, ms; times that of a quarter of the text; reader; text');
  for (const { name, length, worst, growth, text, untried } of rows)
    console.log(
      `${worst.toFixed(2).padStart(8)}${growth.toFixed(1).padStart(6)}  ${name}, ${length}: ${JSON.stringify(text)}${untried > 0 ? ` (${untried} texts not read)` : ''}`,
    );
  const steep = rows.filter(({ growth }) => growth > STEEP).map(({ name }) => name);
  return {
    readers: rows.length,
    texts: texts.length,
    steep,
    ratios: { worstToPromise: rounded(rows[0].worst / PROMISED_MS) },
  };
}

/** Shuffles the texts by the seed, so that another seed tries other texts when time is short. */
function shuffled(texts) {
  const random = randomNumbers(SEED);
  const placed = texts.map((text) => ({ text, place: random() }));
  return placed.sort((a, b) => a.place - b.place).map(({ text }) => text);
}

/** Finds the slowest text for a parser. */
function measured({ name, length, read }, texts) {
  for (const { make } of texts.slice(0, 50)) held(read, make(Math.min(length / 4, 16_384)));
  const until = performance.now() + SECONDS * 1_000;
  const found = [];
  let untried = texts.length;
  for (const shape of texts) {
    if (performance.now() > until) break;
    untried -= 1;
    found.push({ shape, took: held(read, shape.make(length)) });
  }
  const worst = found
    .sort((a, b) => b.took - a.took)
    .slice(0, 8)
    .map(({ shape }) => ({ shape, took: least(read, shape.make(length)) }))
    .reduce((one, other) => (other.took > one.took ? other : one));
  const quarter = least(read, worst.shape.make(length / 4));
  const growth = worst.took < SHORT_MS ? 0 : worst.took / quarter;
  return { name, length, worst: worst.took, growth, text: worst.shape.name, untried };
}

function least(read, text) {
  return Math.min(...Array.from({ length: AGAIN }, () => held(read, text)));
}

/** The longest time that one call, or one step of a generator, holds the thread. */
function held(read, text) {
  // Makes V8 join the pieces of the text, because a received text is in one piece.
  text.charCodeAt(0);
  let longest = 0;
  const timed = (step) => {
    const began = performance.now();
    try {
      return step();
    } catch {
      // A parser may refuse the text: this is a valid result.
      return undefined;
    } finally {
      longest = Math.max(longest, performance.now() - began);
    }
  };
  const result = timed(() => read(text));
  if (typeof result?.next !== 'function') return longest;
  while (timed(() => result.next())?.done === false);
  return longest;
}
