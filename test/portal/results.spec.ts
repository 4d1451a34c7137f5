import { type StatementResult, partsOf as partsOfAnswer } from '../../portal/src/run/result';

const result = (kind: StatementResult['kind'], output: string, truncated = false): StatementResult => ({
  kind,
  output,
  truncated,
});
const table = (columns: string[], rows: (string | null)[][], isCut = false) => ({
  kind: 'table',
  table: { columns, rows, isCut },
});
const partsOf = (results: StatementResult[]) => partsOfAnswer({ output: '', results });
const text = (shown: string) => ({ kind: 'text', text: shown });

describe('results of a script at the portal', () => {
  // promises: PORTAL-16
  it('are a table for each statement with rows, with the text between them', () => {
    expect(
      partsOf([
        result('rows', 'a\tb\n1\t\\N\n'),
        result('command', 'DO\n'),
        result('message', 'WARNING: x\n'),
        result('rows', 'c\n'),
        result('text', '5\n6\n'),
      ]),
    ).toEqual([table(['a', 'b'], [['1', null]]), text('DO\nWARNING: x\n'), table(['c'], []), text('5\n6\n')]);
  });

  // promises: PORTAL-16
  it('show no row that was cut as if it were whole', () => {
    expect(partsOf([result('rows', 'a\n1\n22', true)])).toEqual([table(['a'], [['1']], true)]);
    expect(partsOf([result('rows', 'a\n1\n', true), result('message', 'ERROR\n')])).toEqual([
      table(['a'], [['1']], true),
      text('ERROR\n'),
    ]);
    expect(partsOf([result('rows', 'a\tb', true)])).toEqual([text('a\tb')]);
    // If a single large cell was cut, shows its beginning as text, instead of a table without rows.
    expect(partsOf([result('rows', 'a\nlong', true)])).toEqual([text('a\nlong')]);
    expect(partsOf([result('rows', 'a\n', true)])).toEqual([table(['a'], [], true)]);
  });

  it('are text where a mask has changed their form', () => {
    expect(partsOf([result('rows', 'a\tb\n***\n')])).toEqual([text('a\tb\n***\n')]);
  });

  // promises: UPGRADE-1
  it('are the text of an older gateway, which gives no results', () => {
    expect(partsOfAnswer({ output: 'a\n1\n' })).toEqual([text('a\n1\n')]);
    expect(partsOfAnswer({ output: '' })).toEqual([]);
  });
});
