import { textShapes } from '../../../../bench/bodies/texts.mjs';
import { volume } from '../../../../test/support/volume';
import { binaryCopyOf } from '../binary-copy';
import { MAX_REREADS, fitsInline, parseCost } from './parse-cost';
import { loadParserEngine, parseTree } from './parser-engine';
import { loadSqlParser, parseSql } from '../parser';

const OPERATOR = /[~!@#^&|`?+\-*/%<>=]+/y;

/**
 * Counts the characters that the rules of PostgreSQL's scanner (scan.l) match, including characters that a
 * rule returns to the input. The caller removes quotes, because text between quotes is matched only once.
 */
function matchedCharacters(text: string): number {
  let [work, depth, at] = [0, 0, 0];
  const operator = (from: number): string => {
    OPERATOR.lastIndex = from;
    return OPERATOR.exec(text)?.[0] ?? '';
  };
  while (at < text.length) {
    const [code, following] = [text[at], text[at + 1]];
    if (depth > 0 && !(code === '/' && following === '*')) {
      // Rule xcstop matches `\*+/`. Otherwise the scanner matches one character, or a sequence of stars.
      let end = at + 1;
      if (code === '*') while (text[end] === '*') end += 1;
      if (code === '*' && text[end] === '/') {
        depth -= 1;
        end += 1;
      }
      work += end - at;
      at = end;
      continue;
    }
    const run = operator(at);
    if (run === '') {
      work += 1;
      at += 1;
    } else if (run.startsWith('/*')) {
      // Rule xcstart matches `/\*{op_chars}*`, and returns all but two characters to the input.
      work += run.length;
      depth += 1;
      at += 2;
    } else if (run.startsWith('--')) {
      const end = /[\n\r]|$/g;
      end.lastIndex = at;
      const to = end.exec(text)?.index ?? text.length;
      work += to - at;
      at = to;
    } else {
      // Rule operator stops before a comment. Without a special character, it returns final + and - to the
      // input.
      work += run.length;
      const comment = run.search(/\/\*|--/);
      const own = comment > 0 ? run.slice(0, comment) : run;
      let { length } = own;
      if (!/[~!@#^&|`?%]/.test(own)) while (length > 1 && '+-'.includes(own[length - 1]!)) length -= 1;
      at += length;
    }
  }
  return work;
}

/** Counts the values of a tree: objects, arrays and everything in them. */
function nodesOf(tree: unknown): number {
  let nodes = 0;
  const open = [tree];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    nodes += 1;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return nodes;
}

const SEED = Number(process.env['PROPERTY_SEED'] ?? 32);
const shapes = [...textShapes(SEED, volume(300, 5_000))];
const LONG = 32_000;
/** Maximum number of matched characters. Fifty times as many froze the process. */
const MOST_MATCHED = 2_000_000;

beforeAll(loadSqlParser);

describe('what the parser needs for a text', () => {
  it('is not more than was counted before, for every grammar that the search makes', () => {
    const wrong = shapes
      .map(({ name, make }) => ({ name, text: make(600).replaceAll(/['"$\\]/g, 'x') }))
      .filter(({ text }) => matchedCharacters(text) > text.length + parseCost(text).rereads);
    expect(wrong).toEqual([]);
  });

  it('is bounded by tokens: their number bounds the tree that is printed, read and walked', async () => {
    await loadParserEngine();
    const wrong: object[] = [];
    for (const { name, make } of shapes) {
      const text = make(700);
      await new Promise(setImmediate);
      let nodes = 0;
      try {
        nodes = nodesOf(parseTree(text));
      } catch {
        continue;
      }
      const { tokens } = parseCost(text);
      if (nodes > 50 * (tokens + 1)) wrong.push({ name, nodes, tokens });
    }
    expect(wrong).toEqual([]);
  });

  it('is small for everything that is parsed on the event loop', () => {
    const texts = shapes.map(({ name, make }) => ({ name, text: make(LONG).replaceAll(/['"$\\]/g, 'x') }));
    const inline = texts.filter(({ text }) => fitsInline(text));
    const wrong = inline.filter(({ text }) => matchedCharacters(text) > MOST_MATCHED);
    expect(wrong.map(({ name }) => name)).toEqual([]);
    // `textShapes` also yields texts that are too costly for the event loop.
    expect(inline.length).toBeLessThan(shapes.length);
  });
});

const FREEZING = {
  'signs that change': `select 1${'+-'.repeat(16_000)}`,
  'one sign': `select 1${'+'.repeat(32_000)}`,
  'comments that begin in comments': `select 1${'/*'.repeat(16_000)}`,
  'comments that begin and end in comments': `${'/*'.repeat(8_000)}${'*/'.repeat(8_000)}`,
  'comments that end': `select 1${'*/'.repeat(16_000)}`,
  'comments side by side': `select 1${'/**/'.repeat(8_000)}`,
};

describe.each(Object.entries(FREEZING))('%s', (_, text) => {
  it('are not parsed on the event loop, alone, in COPY and in the body of a function', () => {
    expect(fitsInline(text)).toBe(false);
    expect(fitsInline(`create function f() returns int language sql as $fn$${text}$fn$`)).toBe(false);
    expect(fitsInline(`create function f() returns int language sql as '${text}'`)).toBe(false);
    expect(binaryCopyOf(`copy (${text}) to stdout (format binary)`)).toBeUndefined();
  });

  it('are unparseable in a thread too, before the parser reads them', () => {
    const longer = text.repeat(4);
    expect(parseSql(longer)).toEqual({
      kind: 'unparseable',
      reason: 'has runs of operator characters that are too long to parse',
    });
    const body = parseSql(`create function f() returns int language sql as $fn$${longer}$fn$`);
    expect(body.kind === 'facts' && body.statements[0]?.hidden).toEqual([
      'defines a function whose body cannot be parsed',
    ]);
  });
});

it('bodies of functions that are bounded each are bounded together', () => {
  const comment = `${'/*'.repeat(1_400)}${'*/'.repeat(1_400)}`;
  const one = `create function f() returns int language sql as $$select 1 ${comment}$$;`;
  expect(20 * parseCost(one).rereads).toBeGreaterThan(MAX_REREADS);
  const parsed = parseSql(one.repeat(20));
  const hidden = parsed.kind === 'facts' ? parsed.statements.map((statement) => statement.hidden) : [];
  expect(hidden).toHaveLength(20);
  expect([hidden[0], hidden[19]]).toEqual([[], ['defines a function whose body cannot be parsed']]);
});

const lines = (line: string, count = 500): string => `${line}\n`.repeat(count);

describe('what people and programs write is parsed as before', () => {
  const inline = {
    'lines of dashes': lines('-'.repeat(60)),
    'a comment of stars': `/*${lines('*'.repeat(60))}*/ select 1`,
    'a comment of operators': `/*${lines('<->=+|#~'.repeat(7))}*/ select 1`,
    'art in a string': `select '${lines('+------+------+------+------+------+------+------+')}'`,
    'art in a function': `create function f() returns text language plpgsql as $$ begin\n${lines(`-- ${'/*'.repeat(20)}`)} end $$`,
    'a chain of ->>': `select ${Array(1_500).fill("a->>'b'").join(',')} from t`,
    'rows of an insert': `insert into t values ${Array(1_000).fill("(1234, 'some text', null)").join(',')}`,
    'statements one after another': lines(
      "update accounts set balance = balance - 100.00, changed_at = now() where id = 'x' and balance >= 100;",
      300,
    ),
    'calls of prepared statements': lines("execute add_row(1042, 'some name');", 900),
  };
  it.each(Object.entries(inline))('on the event loop: %s', (_, text) => {
    expect(fitsInline(text)).toBe(true);
    expect(parseSql(text).kind).toBe('facts');
  });

  it.each(
    Object.entries({
      'comments of comments': `/*${lines('/*'.repeat(40) + '*/'.repeat(40))}*/ select 1`,
      'a megabyte of lines of dashes': `${lines('-'.repeat(80), 12_000)}select 1`,
      'a megabyte of rows': `insert into t values ${Array(40_000).fill("(1234, 'some text', null)").join(',')}`,
      'tables drawn in a megabyte of strings': `insert into functions values ('create function ${lines('+----+'.repeat(13), 12_000)}')`,
    }),
  )('in a thread: %s', (_, text) => {
    expect(fitsInline(text)).toBe(false);
    expect(parseSql(text).kind).toBe('facts');
  });
});
