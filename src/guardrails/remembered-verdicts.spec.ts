import { hereInstead, statement } from '../../test/support/rule-entries';
import type { AskCatalog } from '../gate/ports/guardrails';
import { loadSqlParser } from '../languages/postgresql/parser';
import { postgresql } from '../languages/postgresql';
import { GuardrailEngine } from './engine/guardrail-engine';

const rule = {
  id: '1',
  name: 'r',
  input: { rules: [statement({ tables: [{ name: 'salaries', access: 'any' }] })] },
  output: { rules: [] },
};

describe('remembered verdicts', () => {
  beforeAll(() => loadSqlParser());

  it('are not those of another target: what its catalog tells is asked each time, in whatever order', async () => {
    const engine = new GuardrailEngine([rule], postgresql, hereInstead);
    const text = 'DROP SCHEMA old CASCADE';
    const table =
      (name: string): AskCatalog =>
      () =>
        Promise.resolve([{ name, read: false, write: true }]);
    const asked: (readonly [AskCatalog | undefined, 'pass' | 'block'])[] = [
      [undefined, 'block'],
      [table('salaries'), 'block'],
      [table('other'), 'pass'],
      [undefined, 'block'],
    ];
    for (const [first] of asked)
      for (const [ask, expected] of [...asked, ...asked.toReversed()]) {
        await engine.judge(text, 'input', [], first);
        expect((await engine.judge(text, 'input', [], ask)).kind).toBe(expected);
      }
  });

  it('are of the text as it is meant: an input and a value have their own', async () => {
    const engine = new GuardrailEngine([rule], postgresql, hereInstead);
    for (let time = 0; time < 2; time += 1) {
      expect((await engine.judge('DELETE FROM salaries', 'value')).kind).toBe('pass');
      expect((await engine.judge('DELETE FROM salaries')).kind).toBe('block');
    }
  });
});
