// npm run bench -- readers: how long each reader of what others send holds its
// thread, for texts that a search makes.
import { jsonShapes, randomNumbers, textShapes } from './bodies/texts.mjs';
import { bounded, listed, rounded } from './kit/figures.mjs';
import { readers } from './readers/table.mjs';

const SEED = bounded('BENCH_SEED', 1, 0, 2 ** 31);
/** Random grammars, besides each piece in each frame. */
const COUNT = bounded('BENCH_TEXTS', 200, 0, 100_000);
/** Seconds for one reader. Texts not read by then are counted. */
const SECONDS = bounded('BENCH_SECONDS', 4, 1, 3_600);
const PROMISED_MS = 50;
/**
 * Number of measurements of the worst texts. The smallest counts, because other processes may have the
 * processor.
 */
const AGAIN = 5;
/**
 * A reader whose time grows by the length alone takes four times as long for four
 * times the text; with its square, sixteen times.
 */
const STEEP = 9;
/** Shorter times prove nothing about growth. */
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

/** In an order of the seed: where time is short, another seed tries others. */
function shuffled(texts) {
  const random = randomNumbers(SEED);
  const placed = texts.map((text) => ({ text, place: random() }));
  return placed.sort((a, b) => a.place - b.place).map(({ text }) => text);
}

/** The worst text for a reader. */
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
  // Puts the pieces of the text together, as one that was received is.
  text.charCodeAt(0);
  let longest = 0;
  const timed = (step) => {
    const began = performance.now();
    try {
      return step();
    } catch {
      // A refusal is an answer.
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
