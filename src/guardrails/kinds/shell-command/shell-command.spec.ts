import { compileEntry } from '../../../../test/support/rule-entries';
import { parseShell } from '../../../languages/shell/parser';
import { shell } from '../../../languages/shell';
import { postgresql } from '../../../languages/postgresql';
import type { RuleEntry } from '../../entries/rule-entry';
import { readsFacts } from '../../entries/entries-without-effect';
import { forbiddenIn } from '../../analysis/statement-findings';
import type { StatementTest } from '../contract/kind';

const compile = (more: Partial<RuleEntry>) => compileEntry({ type: 'shell_command', ...more });

describe('a shell_command entry', () => {
  it.each<[string, Partial<RuleEntry>]>([
    ['give at least one of programs and redirects_to', {}],
    ['give at least one of programs and redirects_to', { programs: [], hidden_commands: 'allow' }],
    ['program_arguments needs programs', { redirects_to: ['/etc/*'], program_arguments: ['-r'] }],
    ['program_arguments must not contain an empty text', { programs: ['rm'], program_arguments: [''] }],
    ['hidden_commands must be one of refuse, allow', { programs: ['rm'], hidden_commands: 'x' as never }],
    ['etc/x is not an absolute path like /etc/*', { redirects_to: ['etc/x'] }],
    ['arguments has no effect in shell_command entries', { programs: ['rm'], arguments: ['/x'] }],
  ])('is refused: %s', (reason, entry) => {
    expect(() => compile(entry)).toThrow(`input.rules.0: ${reason}`);
  });

  it.each(['', ' ', 'rm -rf', 'bin/rm', '/bin/', './rm', '/'])('is refused with a program %j', (program) => {
    expect(() => compile({ programs: [program] })).toThrow(
      `input.rules.0: ${program} is not a program like rm or /usr/bin/rm`,
    );
  });

  it('is refused for output', () => {
    expect(() => compileEntry({ type: 'shell_command', programs: ['rm'] }, 'output')).toThrow(
      'output.rules.0: shell_command entries judge input only',
    );
  });

  it('reads shell scripts only', () => {
    expect(readsFacts('shell_command', shell)).toBe(true);
    expect(readsFacts('shell_command', postgresql)).toBe(false);
    expect(readsFacts('sql_statement', shell)).toBe(false);
    expect(readsFacts('deny_words_list', shell)).toBe(true);
  });
});

describe('what a shell_command entry finds', () => {
  const found = (entry: Partial<RuleEntry>, script: string): string[] => {
    const test = compile(entry)?.test as StatementTest;
    const findings = forbiddenIn(script.length, parseShell(script), [test])[0] ?? [];
    return [...new Set(findings.map(({ text }) => text))];
  };

  it.each<[Partial<RuleEntry>, string, string[]]>([
    [{ programs: ['rm'] }, 'ls; rm x', ['program rm']],
    [{ programs: ['rm'] }, 'echo rm', []],
    [{ programs: ['rm'] }, '/usr/bin/RM x', ['program /usr/bin/RM']],
    [{ programs: ['mkfs*'] }, 'mkfs.ext4 /dev/sda', ['program mkfs.ext4']],
    [{ programs: ['/opt/a/wipe'] }, '/opt/b/wipe; /opt/a/../a/wipe', ['program /opt/a/../a/wipe']],
    [{ programs: ['/opt/a/wipe'] }, 'wipe', ['program wipe']],
    [{ programs: ['rm'] }, 'cp /bin/rm /srv/x', ['names a program of the rule: cp']],
    [{ programs: ['rm'] }, 'ls -l /bin/rm', []],
    [{ programs: ['rm'] }, '$x', ['hidden command: runs a program whose name is not in the text']],
    [{ programs: ['rm'], hidden_commands: 'allow' }, '$x; eval "$y"', []],
    [{ programs: ['rm'] }, 'a\0b', ['unparseable: contains a NUL character']],
    [{ programs: ['rm'], hidden_commands: 'allow' }, 'a\0b', []],
  ])('%j in %j', (entry, script, texts) => {
    expect(found(entry, script)).toEqual(texts);
  });

  it.each<[string[], string, 'yes' | 'no' | 'maybe']>([
    [['-r'], 'rm -rf x', 'yes'],
    [['-r'], 'rm -fvr x', 'yes'],
    [['-r'], 'rm -f x', 'no'],
    [['-r'], 'rm --recursive x', 'no'],
    [['--recursive'], 'rm --recurs x', 'yes'],
    [['--recursive'], 'rm -- x', 'no'],
    [['-r', '/etc/*'], 'rm -r /etc/x', 'yes'],
    [['-r', '/etc/*'], 'rm -r //etc/./a/../x', 'yes'],
    [['-r', '/etc/*'], 'rm -r /etc', 'yes'],
    [['-r', '/etc/*'], 'rm -r /', 'yes'],
    [['-r', '/etc/*'], 'rm -r /etcetera', 'no'],
    [['-r', '/etc/*'], 'rm -r x', 'no'],
    [['-r', '/etc/*'], 'rm -r ../etc/x', 'maybe'],
    [['-r', '/etc/*'], 'cd /; rm -r etc', 'maybe'],
    [['-r', '/etc/*'], 'rm -r "$x"', 'maybe'],
    [['-r', '/etc/*'], 'rm -r /et?/x', 'maybe'],
    [['-r', '/etc/passwd'], 'rm -r "$x/log"', 'no'],
    [['-r', '/etc/passwd'], 'rm -r "$x/etc"', 'maybe'],
    [['-r', '/etc/*'], 'rm $x /etc/a', 'maybe'],
    [['--target=/etc/*'], 'rm --target=/etc/a', 'yes'],
    [['/etc/*'], 'rm --target=/etc/a', 'yes'],
    [['/etc/*'], 'rm -t/etc/a', 'yes'],
  ])('programs with the arguments %j in %j: %s', (program_arguments, script, certainty) => {
    const entry = { programs: ['rm'], program_arguments };
    const maybe = 'hidden command: arguments of rm are not in the text';
    expect(found(entry, script)).toEqual({ yes: ['program rm'], no: [], maybe: [maybe] }[certainty]);
    const isSure = certainty === 'yes';
    expect(found({ ...entry, hidden_commands: 'allow' }, script)).toEqual(isSure ? ['program rm'] : []);
  });

  it('redirections to paths', () => {
    const entry = { redirects_to: ['/etc/*'] };
    expect(found(entry, 'a > /etc/x; b >> /srv/etc; c < /etc/y')).toEqual(['redirect to /etc/x']);
    expect(found(entry, 'a &> /srv/../etc/x')).toEqual(['redirect to /srv/../etc/x']);
    expect(found(entry, 'a > "$x"')).toEqual([
      'hidden command: the file of a redirection is not in the text',
    ]);
    expect(found(entry, 'a > >(b) 2>&1')).toEqual([]);
  });
});
