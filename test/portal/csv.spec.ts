import { csvOf } from '../../portal/src/run/result';
import { csvPart } from '../../src/sessions/reading/rendering/csv-cells';

/** Writes a cell in the text format of COPY. */
const copied = (cell: string): string =>
  cell.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
/** Returns the text of a cell in the CSV file, without the quotes around it. */
const written = (cell: string): string => {
  const [, row = ''] = /^c\r\n([^]*)$/.exec(csvOf({ isCut: false, columns: ['c'], rows: [[cell]] })) ?? [];
  return row.startsWith('"') ? row.slice(1, -1) : row;
};

describe('csv of the portal', () => {
  it('has the cells of the csv of the gateway, whatever they begin with', () => {
    const different: string[] = [];
    for (let code = 1; code <= 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      for (const cell of [`${String.fromCodePoint(code)}1+1`, `a${String.fromCodePoint(code)}`])
        if (written(cell) !== csvPart(copied(cell), true)) different.push(`${code.toString(16)} ${cell}`);
    }
    expect(different).toEqual([]);
  });

  it('has nothing that a spreadsheet runs, or that a terminal obeys', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])
      expect(written(`${start}cmd|' /C calc'!A0`)).toBe(`'${start}cmd|' /C calc'!A0`);
    expect(
      csvOf({ isCut: false, columns: ['=a', '\u202Eb'], rows: [['\u001b]52;c;eA==\u0007', null]] }),
    ).toBe(`'=a,\uFFFDb\r\n\uFFFD]52;c;eA==\uFFFD,`);
  });

  // promises: PORTAL-15
  it('of the first part of a result says in its last line that it is no more', () => {
    expect(csvOf({ isCut: true, columns: ['n'], rows: [['1'], ['2']] })).toBe(
      'n\r\n1\r\n2\r\nCut: these are the first 2 rows. The session at the gateway has all of the result.',
    );
  });
});
