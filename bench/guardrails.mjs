// The guardrail engine compared with naive loops of String.includes and RegExp.test.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bounded, median, rounded } from './kit/figures.mjs';

const require = createRequire(import.meta.url);
const built = (...path) => require(join(import.meta.dirname, '..', 'dist', 'src', ...path));

const ROUNDS = bounded('BENCH_ROUNDS', 7, 1, 1_000);
const ROUND_MS = bounded('BENCH_ROUND_MS', 150, 1, 60_000);
/** Length of the texts for slow patterns, in characters. */
const LENGTH = bounded('BENCH_SLOW_KB', 1_000, 20, 10_000) * 1_000;
/** Number of texts of 16 kB. */
const PIECES = (LENGTH / 1_000_000) * 600;
const STATEMENT = 1_000;
const CHUNK = 64_000;

/**
 * Returns a generator of pseudo-random numbers, the same numbers in each run, so that runs can be compared.
 */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = randomNumbers(42);
const pick = (list) => list[Math.floor(random() * list.length)];
const TERMS =
  'customer purchase invoice total amount status created updated region country city street email phone account balance payment product price quantity discount shipment carrier note priority owner team project ticket'.split(
    ' ',
  );

/** Returns a text of exactly `size` characters: whole pieces, then filler. */
function upTo(size, piece, filler) {
  let text = '';
  for (let next = piece(); text.length + next.length <= size; next = piece()) text += next;
  const rest = size - text.length;
  return text + (rest < filler.length ? ' '.repeat(rest) : filler.padEnd(rest, '.'));
}

/** Ordinary SQL over several lines, with strings and some comments. */
const statement = (n) =>
  upTo(
    STATEMENT,
    () =>
      `SELECT ${pick(TERMS)}_id, ${pick(TERMS)}, count(*) AS n${n}\n  FROM ${pick(TERMS)}s t${random() < 0.2 ? ' -- by region' : ''}\n ` +
      `WHERE t.${pick(TERMS)} = '${pick(TERMS)} ${Math.floor(random() * 1e6)}' AND t.${pick(TERMS)} > ${Math.floor(random() * 1e4)}\n GROUP BY 1, 2;\n`,
    '-- filler ',
  );
/** Rows as a script returns them. */
const chunk = () =>
  upTo(
    CHUNK,
    () =>
      `${Math.floor(random() * 1e6)}\t${pick(TERMS)} ${pick(TERMS)}\t${(random() * 1e4).toFixed(2)}\t2026-11-21 05:24:33\t\\N\n`,
    '1\t',
  );

/** Typical words and patterns, none of which occurs in the texts. */
const words = (count) =>
  Array.from(
    { length: count },
    (_, i) => `${pick(['drop', 'truncate', 'grant', 'secret', 'salary', 'shutdown'])} ${pick(TERMS)}${i}x`,
  );
const SHAPES = [
  (i) => `(?i)\\bdrop\\s+(table|schema|index)\\s+x${i}\\b`,
  (i) => `\\b${100 + i}-\\d{2}-\\d{4}\\b`,
  (i) => `(?i)password${i}\\s*=\\s*'[^']*'`,
  (i) => `AKIA${i}[0-9A-Z]{14}`,
  (i) => `(?i)\\bdelete\\s+from\\s+audit${i}_\\w+`,
];
const patterns = (count) => Array.from({ length: count }, (_, i) => SHAPES[i % SHAPES.length](i));

const wordEntry = (list) => ({ type: 'deny_words_list', words: list, pattern_regex: '' });
const screens = (entry) => entry.type !== 'sql_statement';
const patternEntry = (regex) => ({ type: 'pattern_match', words: [], pattern_regex: regex });

export default async function bench() {
  const { GuardrailEngine } = built('guardrails/engine/guardrail-engine.js');
  const { AnalysisPool, LIMITS } = built('guardrails/analysis/analysis-pool.js');
  const { loadSqlParser } = built('languages/postgresql/parser.js');
  await loadSqlParser();
  // Has longer time limits, because some texts take seconds, and on a busy machine many seconds.
  class PatientPool extends AnalysisPool {
    limits = { ...LIMITS, task: 600_000, turn: 600_000, silence: 660_000 };
  }
  const pool = new PatientPool();
  const engineOf = (entries) =>
    new GuardrailEngine(
      [{ id: '1', name: 'bench', input: { rules: entries }, output: { rules: entries.filter(screens) } }],
      true,
      pool,
    );

  const statements = Array.from({ length: 4_000 }, (_, n) => statement(n));
  const chunks = Array.from({ length: 40 }, chunk);
  // Stored as bytes, so that each call makes a new string, as for bytes from a socket.
  const repeated = statements.slice(0, 50).map((text) => Buffer.from(text, 'latin1'));
  const results = {};

  const judging = (entries) => {
    const engine = engineOf(entries);
    let at = 0;
    return async () => {
      // The engine caches decisions, so the cache is cleared before each pass over the statements.
      if (at === statements.length) {
        engine.decisions.clear();
        at = 0;
      }
      const verdict = await engine.judge(statements[at++]);
      if (verdict.kind !== 'pass')
        throw new Error(`there was nothing to find: ${JSON.stringify(verdict.hit.findings)}`);
    };
  };
  const screening = (entries) => {
    const screen = engineOf(entries).openScreen();
    let at = 0;
    return async () => {
      const screened = await screen.push(chunks[at++ % chunks.length]);
      if (screened.kind !== 'pass') throw new Error('there was nothing to find');
    };
  };
  const repeating = (entries) => {
    const engine = engineOf(entries);
    let at = 0;
    return async () => void (await engine.judge(repeated[at++ % repeated.length].latin1Slice()));
  };
  const including = (texts, list) => {
    const lower = list.map((word) => word.toLowerCase());
    let at = 0;
    return () => {
      const text = texts[at++ % texts.length].toLowerCase();
      if (lower.some((word) => text.includes(word))) throw new Error('there was nothing to find');
    };
  };
  const testing = (texts, list) => {
    const regexes = list.map(
      (source) => new RegExp(source.replace('(?i)', ''), source.startsWith('(?i)') ? 'i' : ''),
    );
    let at = 0;
    return () => {
      const text = texts[at++ % texts.length];
      if (regexes.some((regex) => regex.test(text))) throw new Error('there was nothing to find');
    };
  };

  const contenders = {};
  for (const [size, texts, engine] of [
    [STATEMENT, statements, judging],
    [CHUNK, chunks, screening],
  ]) {
    const name = size === STATEMENT ? '1 kB' : '64 kB';
    contenders[`${name}, no rules`] = [size, engine([])];
    for (const count of [10, 100, 1000]) {
      const list = words(count);
      contenders[`${name}, ${count} words`] = [size, engine([wordEntry(list)])];
      contenders[`${name}, ${count} words, includes`] = [size, including(texts, list)];
    }
    for (const count of [5, 10, 50]) {
      const list = patterns(count);
      contenders[`${name}, ${count} patterns`] = [size, engine(list.map(patternEntry))];
      contenders[`${name}, ${count} patterns, RegExp`] = [size, testing(texts, list)];
    }
  }
  const all = [
    wordEntry(words(1000)),
    ...patterns(50).map(patternEntry),
    { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['drop'] },
  ];
  contenders['1 kB repeated, 1000 words, 50 patterns, a statement rule'] = [STATEMENT, repeating(all)];
  contenders['1 kB, a statement rule'] = [STATEMENT, judging([all.at(-1)])];

  for (const name of Object.keys(contenders)) results[name] = [];
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, [size, run]] of Object.entries(contenders)) {
      const rate = await measure(size, run);
      // The first round warms up: code is compiled, automata are built.
      if (round >= 0) results[name].push(rate);
    }
  }
  const loop = await catastrophes(engineOf);
  await pool.onApplicationShutdown();

  const rates = Object.fromEntries(Object.entries(results).map(([name, list]) => [name, median(list)]));
  for (const [name, rate] of Object.entries(rates))
    console.log(`${name.padEnd(62)} ${rate.toFixed(1).padStart(8)} MB/s`);
  for (const [name, cost] of Object.entries(loop))
    console.log(`${name.padEnd(62)} ${cost.toFixed(1).padStart(8)} ms of the event loop for each MB`);
  const ratio = (a, b) => rounded(rates[a] / rates[b]);
  return {
    ratios: {
      words1000vs10: ratio('64 kB, 10 words', '64 kB, 1000 words'),
      words1000vsIncludes: ratio('64 kB, 1000 words', '64 kB, 1000 words, includes'),
      statementWords1000vsIncludes: ratio('1 kB, 1000 words', '1 kB, 1000 words, includes'),
      patterns50vs5: ratio('64 kB, 5 patterns', '64 kB, 50 patterns'),
      patterns50vsRegExp: ratio('64 kB, 50 patterns', '64 kB, 50 patterns, RegExp'),
    },
    loopMillisecondsPerMB: Object.fromEntries(
      Object.entries(loop).map(([name, cost]) => [name, Number(cost.toFixed(1))]),
    ),
    megabytesPerSecond: Object.fromEntries(
      Object.entries(rates).map(([name, rate]) => [name, Number(rate.toFixed(1))]),
    ),
  };
}

const letters = (size, alphabet) => Array.from({ length: size }, () => pick(alphabet)).join('');

/** Patterns that are slow for backtracking engines or automata, each with a text for which it is slow. */
const CATASTROPHES = {
  '(a+)+$': () => `${'a'.repeat(LENGTH - 1)}!`,
  '(a|aa)+$': () => `${'a'.repeat(LENGTH - 1)}!`,
  '(.*a){20}$': () => `${'a'.repeat(LENGTH - 1)}!`,
  '([a-z]+\\s?)*#': () => letters(LENGTH, ['a', 'b', ' ']),
  'a.{500}c': () => letters(LENGTH, ['a', 'b']),
  '[ab]*a[ab]{60}c': () => letters(LENGTH, ['a', 'b']),
  '(x+x+)+y': () => 'x'.repeat(LENGTH),
};

/** Returns the event-loop time in ms per MB for the slowest pattern, in one text and in many texts. */
async function catastrophes(engineOf) {
  const costs = {
    'catastrophic patterns, 1 MB in one text': 0,
    'catastrophic patterns, 10 MB in texts of 16 kB': 0,
  };
  for (const [pattern, make] of Object.entries(CATASTROPHES)) {
    const text = make();
    const pieces = Array.from(
      { length: PIECES },
      (_, i) => `${i} ${text.slice((i * 1_543) % (LENGTH - 16_000)).slice(0, 16_000)}`,
    );
    for (const [name, texts] of [
      ['catastrophic patterns, 1 MB in one text', [text]],
      ['catastrophic patterns, 10 MB in texts of 16 kB', pieces],
    ]) {
      const engine = engineOf([patternEntry(pattern)]);
      await engine.judge('warm');
      const before = performance.eventLoopUtilization();
      for (const piece of texts) await engine.judge(piece);
      const { active } = performance.eventLoopUtilization(before);
      const megabytes = texts.reduce((sum, piece) => sum + piece.length, 0) / 1e6;
      costs[name] = Math.max(costs[name], active / megabytes);
    }
  }
  return costs;
}

/** Returns the millions of bytes per second over one round. */
async function measure(size, run) {
  const startedAt = performance.now();
  let calls = 0;
  do {
    await run();
    calls += 1;
  } while (performance.now() - startedAt < ROUND_MS);
  return (calls * size) / 1e3 / (performance.now() - startedAt);
}
