import * as fc from '../../../../test/support/fast-check';
import { scriptHint } from './script-hint';

describe('scriptHint', () => {
  it.each([
    ['\\restrict key\nSELECT 1', '\\restrict in line 1 is a command of psql'],
    ['--\n-- dump\n--\n\n\\restrict key\n\nSET x = 1;\n', '\\restrict in line 5 is a command of psql'],
    ['SELECT 1 \\gx', '\\gx in line 1 is a command'],
    ['SELECT 1;\r\n\\d customers\r\n', '\\d in line 2 is a command'],
    [
      "\\copy t from 'don''t.csv'\nCOPY t FROM stdin;\n1\tMüller's\n\\.\n",
      'COPY … FROM stdin in line 2 takes',
    ],
    ["\\copy t from 'a.csv'", 'psql, not SQL: run the file with psql'],
    ["\\echo it's\nSELECT 1;\nCOPY t (a, b) FROM STDIN WITH (FORMAT csv);", 'COPY … FROM stdin in line 3'],
    ['\uFEFFselect 1', 'Line 1 begins with a byte order mark'],
    ['select 1;\r\n\uFEFF-- second file\nselect 2', 'Line 2 begins with a byte order mark'],
    ['\uFEFFCOPY t FROM STDIN', 'COPY … FROM stdin in line 1'],
  ])('%j: %s', (script, hint) => {
    expect(scriptHint(script)).toContain(hint);
  });

  it.each([
    String.raw`SELECT E'\d', '\copy', $$\restrict$$, "a\b" -- \d`,
    "SELECT '\uFEFF', 1 /* \uFEFF */",
    "COPY (SELECT 'from stdin') TO STDOUT",
    'SELECT stdin FROM stdin',
    "COPY t FROM '/tmp/stdin'",
    '',
  ])('%j has none', (script) => {
    expect(scriptHint(script)).toBeUndefined();
  });

  it('finds nothing in what is quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = text.replaceAll("'", "''").replaceAll('"', '""');
        expect(scriptHint(`SELECT '${quoted}', "${quoted}" FROM t;`)).toBeUndefined();
      }),
    );
  });
});
