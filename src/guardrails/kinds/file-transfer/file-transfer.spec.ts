import { compileEntry } from '../../../../test/support/rule-entries';
import { fileOperation, fileOperationText } from '../../../languages/file-operation';
import { shell } from '../../../languages/shell';
import { forbiddenIn } from '../../analysis/statement-findings';
import { readsFacts, withoutEffect } from '../../entries/entries-without-effect';
import type { RuleEntry } from '../../entries/rule-entry';
import { postgresql } from '../../../languages/postgresql';
import type { StatementTest } from '../contract/kind';

const compile = (more: Partial<RuleEntry>) => compileEntry({ type: 'file_transfer', ...more });

describe('a file_transfer entry', () => {
  const NOTHING = 'give at least one of file_operations, file_paths, file_extensions and file_bytes_over';

  it.each<[string, Partial<RuleEntry>]>([
    [NOTHING, {}],
    [NOTHING, { file_operations: [], file_paths: [], file_extensions: [] }],
    ['etc/x is not an absolute path like /etc/*', { file_paths: ['etc/x'] }],
    ['.exe is not an extension like exe or tar.gz', { file_extensions: ['.exe'] }],
    [' is not an extension like exe or tar.gz', { file_extensions: [''] }],
    ['a/b is not an extension like exe or tar.gz', { file_extensions: ['a/b'] }],
    [
      'file_bytes_over limits read and write alone: give another entry for other operations',
      { file_operations: ['write', 'delete'], file_bytes_over: 1 },
    ],
    ['arguments has no effect in file_transfer entries', { file_operations: ['read'], arguments: ['/x'] }],
  ])('is refused: %s', (reason, entry) => {
    expect(() => compile(entry)).toThrow(`input.rules.0: ${reason}`);
  });

  it('is refused for output', () => {
    expect(() => compileEntry({ type: 'file_transfer', file_operations: ['read'] }, 'output')).toThrow(
      'output.rules.0: file_transfer entries judge input only',
    );
  });

  it('has an effect at servers only', () => {
    expect(readsFacts('file_transfer', fileOperation)).toBe(true);
    expect(readsFacts('file_transfer', shell)).toBe(false);
    const rule = { input: { rules: [compileableEntry()] } };
    expect(withoutEffect(rule, shell)).toEqual([]);
    expect(withoutEffect(rule, postgresql)).toEqual(['file_transfer entries (input.rules 0) have no effect']);
  });
});

function compileableEntry(): RuleEntry {
  return { type: 'file_transfer', words: [], pattern_regex: '', file_operations: ['read'] };
}

describe('what a file_transfer entry finds', () => {
  const found = (entry: Partial<RuleEntry>, text: string): string[] => {
    const parsed = fileOperation.parse?.(text);
    if (parsed === undefined) throw new Error('it was not read');
    const findings = forbiddenIn(text.length, parsed, [compile(entry)?.test as StatementTest])[0] ?? [];
    return findings.map(({ text: each }) => each);
  };
  const op = (words: string, ...paths: string[]): string => fileOperationText(words, paths);

  it.each<[Partial<RuleEntry>, string, string[]]>([
    [{ file_operations: ['read'] }, op('open read', '/a'), ['read /a']],
    [{ file_operations: ['read'] }, op('open write,create', '/a'), []],
    [{ file_operations: ['write'] }, op('open write,create', '/a'), ['write /a']],
    [{ file_operations: ['write'] }, op('open read,append', '/a'), ['write /a']],
    [{ file_operations: ['write'] }, op('setstat', '/a'), ['write /a']],
    [{ file_operations: ['write'] }, op('mkdir', '/a'), ['write /a']],
    [{ file_operations: ['delete'] }, op('remove', '/a'), ['delete /a']],
    [{ file_operations: ['delete'] }, op('rmdir', '/a'), ['delete /a']],
    [{ file_operations: ['list'] }, op('list', '/a'), ['list /a']],
    [{ file_operations: ['inspect'] }, op('lstat', '/a'), ['inspect /a']],
    [{ file_operations: ['read'] }, op('lstat', '/a'), []],
    // A file gets past a rule by no other name.
    [
      { file_operations: ['write'], file_extensions: ['exe'] },
      op('rename', '/a.txt', '/b.EXE'),
      ['write /b.EXE'],
    ],
    [
      { file_operations: ['delete'], file_paths: ['/etc/*'] },
      op('rename', '/etc/x', '/tmp/x'),
      ['delete /etc/x'],
    ],
    [
      { file_operations: ['read'], file_paths: ['/etc/shadow'] },
      op('symlink', '/etc/shadow', '/tmp/x'),
      ['read /etc/shadow'],
    ],
    [
      { file_operations: ['read'], file_paths: ['/etc/shadow'] },
      op('symlink', '/etc', '/tmp/x'),
      ['read /etc'],
    ],
    [
      { file_operations: ['write'], file_paths: ['/etc/*'] },
      op('link', '/etc/passwd', '/tmp/x'),
      ['write /etc/passwd'],
    ],
    [
      { file_operations: ['rename'], file_paths: ['/srv/app/*'] },
      op('rename', '/srv', '/old'),
      ['rename /srv'],
    ],
    [{ file_operations: ['list'], file_paths: ['/srv/app/*'] }, op('list', '/srv'), []],
    [{ file_paths: ['*/.ssh/*'] }, op('open read', '/home/a/.ssh/id'), ['read /home/a/.ssh/id']],
    [{ file_extensions: ['tar.gz'] }, op('open read', '/a/b.tar.gz'), ['read /a/b.tar.gz']],
    [{ file_extensions: ['gz'] }, op('open read', '/a/bgz'), []],
    [{ file_bytes_over: 10 }, op('open read', '/a'), []],
    [{ file_bytes_over: 10 }, op('open write,append', '/a'), ['write /a']],
    [{ file_bytes_over: 10 }, op('read 10', '/a'), []],
    [{ file_bytes_over: 10 }, op('read 11', '/a'), ['read /a']],
    [{ file_operations: ['write'], file_bytes_over: 10 }, op('read 11', '/a'), []],
    [{ file_operations: ['write'], file_bytes_over: 0 }, op('write 1', '/a'), ['write /a']],
    [{ file_paths: ['/x'] }, op('open read', `/${'y'.repeat(1_023)}`), []],
    [{ file_paths: ['/x'] }, op('open read', `/${'y'.repeat(1_024)}`), [expect.stringMatching(/^read .y+$/)]],
    [{ file_paths: ['/x'] }, op('chroot', '/y'), ['it is no known operation on files']],
    // Texts of a recording.
    [{ file_operations: ['delete'] }, 'remove /a b', ['delete /a b']],
    [{ file_operations: ['write'], file_paths: ['/c d'] }, 'rename /a b /c d', ['write /c d']],
    [{ file_operations: ['read'] }, 'open read /a', ['read /a']],
    [{ file_operations: ['read'] }, 'subsystem sftp', []],
  ])('%j in %j: %j', (entry, text, findings) => {
    expect(found(entry, text)).toEqual(findings);
  });
});
