import { binaryCopyOf } from './binary-copy';
import { loadSqlParser } from './parser';

beforeAll(() => loadSqlParser());

describe('a COPY in binary form', () => {
  it.each<[string, string, readonly string[] | undefined]>([
    ['COPY t TO STDOUT (FORMAT binary)', 'SELECT * FROM ONLY "t"', []],
    ["copy t to stdout with (format 'BINARY')", 'SELECT * FROM ONLY "t"', []],
    [';copy binary S.t (a, "B b") to stdout;', 'SELECT * FROM ONLY "s"."t"', ['a', 'B b']],
    ['COPY "a""b".t TO STDOUT WITH BINARY', 'SELECT * FROM ONLY "a""b"."t"', []],
    [
      'COPY (SELECT (1), $$)$$ /* ) */ FROM t) TO STDOUT BINARY',
      'SELECT (1), $$)$$ /* ) */ FROM t',
      undefined,
    ],
    [
      'copy/*(*/(select \'(\', ")" from t -- )\n) to stdout binary',
      'select \'(\', ")" from t -- )\n',
      undefined,
    ],
    [
      "COPY (SELECT E'\\')', $$\\$$ AS \"\\\") TO STDOUT BINARY",
      "SELECT E'\\')', $$\\$$ AS \"\\\"",
      undefined,
    ],
  ])('is described by what it copies: %s', (text, describedBy, columns) => {
    expect(binaryCopyOf(text)).toEqual({ direction: 'out', describedBy, columns });
  });

  it('goes in where it is FROM STDIN', () => {
    expect(binaryCopyOf('COPY t (a) FROM STDIN (FORMAT binary) WHERE a > 1')).toEqual({
      direction: 'in',
      describedBy: 'SELECT * FROM ONLY "t"',
      columns: ['a'],
    });
  });

  it.each([
    'COPY t TO STDOUT',
    "COPY t TO STDOUT (FORMAT csv, NULL 'binary')",
    "COPY t TO '/binary' (FORMAT binary)",
    "COPY t TO PROGRAM 'cat' (FORMAT binary)",
    'SELECT 1; COPY t TO STDOUT (FORMAT binary)',
    'COPY t TO STDOUT (FORMAT binary); COPY t TO STDOUT (FORMAT binary)',
    'EXPLAIN COPY t TO STDOUT (FORMAT binary)',
    "SELECT 'copy binary'",
    "COPY (SELECT '\\') TO STDOUT (FORMAT binary) --')",
    `COPY t TO STDOUT (FORMAT binary) ${' '.repeat(40_000)}`,
  ])('is not what cannot be told, or something else: %s', (text) => {
    expect(binaryCopyOf(text)).toBeUndefined();
  });
});
