import { compileEntry } from '../../../../test/support/rule-entries';
import { scriptsIn } from '../../../../test/guardrails/shell/corpus/texts';
import { parseShell } from '../../../languages/shell/parser';
import { forbiddenIn } from '../../analysis/statement-findings';
import type { RuleEntry } from '../../entries/rule-entry';
import type { StatementTest } from '../contract/kind';

/**
 * The corpus of test/guardrails/shell, which is run there by real shells; here it is only judged, and all
 * of it.
 */
describe('of the corpus of shell scripts', () => {
  const testsOf = (...entries: Partial<RuleEntry>[]): StatementTest[] =>
    entries.map((entry) => compileEntry({ type: 'shell_command', ...entry })?.test as StatementTest);
  const found = (tests: StatementTest[], script: string): string[] =>
    forbiddenIn(script.length, parseShell(script), tests).flatMap((findings) =>
      (findings ?? []).map(({ text }) => text),
    );

  it('each form of a forbidden program is found', () => {
    const tests = testsOf({ programs: ['rm'] });
    const missed = scriptsIn('forms.txt').filter((script) => found(tests, script).length === 0);
    expect(missed).toEqual([]);
  });

  it('no form names a file of the machine, which it could remove', () => {
    const named = scriptsIn('forms.txt').filter((script) =>
      /(?<!\w)\/(?:etc|home|root|var|boot|opt|srv|tmp|run)\b/.test(script),
    );
    expect(named).toEqual([]);
  });

  it('no ordinary script is', () => {
    const tests = testsOf(
      { programs: ['mkfs*', 'shutdown', 'reboot', 'dd', 'wipefs', 'userdel'] },
      { programs: ['rm'], program_arguments: ['-r', '/etc/*'] },
      { redirects_to: ['/etc/passwd', '/etc/shadow', '/dev/sda'] },
    );
    const refused = scriptsIn('ordinary.txt').map((script) => [script, ...found(tests, script)]);
    expect(refused.filter(({ length }) => length > 1)).toEqual([]);
  });
});
