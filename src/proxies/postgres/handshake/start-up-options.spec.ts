import { SignInRefusal } from './refusal';
import { settingsOfOptions } from './start-up-options';

function read(options: string): unknown {
  try {
    return settingsOfOptions(options).map((setting) => setting.join('='));
  } catch (error) {
    if (error instanceof SignInRefusal) return `${error.fields?.code}: ${error.message}`;
    throw error;
  }
}

describe('options of a start-up message', () => {
  it.each([
    ['', []],
    ['   \t\n', []],
    ['-c role=boss', ['role=boss']],
    ['-crole=boss', ['role=boss']],
    ['--role=boss', ['role=boss']],
    ['-c role=boss --work-mem=1MB', ['role=boss', 'work_mem=1MB']],
    ['-c ROLE=Boss', ['ROLE=Boss']],
    ['-c a.b=c=d', ['a.b=c=d']],
    ['-c a=', ['a=']],
    ['-c search_path=a,\\ b', ['search_path=a, b']],
    ['-c a=x\\\\y\\z', ['a=x\\yz']],
    ['\\-\\c\\ role=boss', [' role=boss']],
    ['\\-c \\role=boss', ['role=boss']],
    ['-c a=b\\', ['a=b']],
    ['-c a=\u00a0\u2003b', ['a=\u00a0\u2003b']],
    [
      '-e -F -fs -fm -tpl -te -S 4MB',
      [
        'datestyle=euro',
        'fsync=false',
        'enable_seqscan=false',
        'enable_mergejoin=false',
        'log_planner_stats=true',
        'log_executor_stats=true',
        'work_mem=4MB',
      ],
    ],
    ['-eFrole -c a=b', ['datestyle=euro', 'fsync=false', 'a=b']],
    ['-eFca=b', ['datestyle=euro', 'fsync=false', 'a=b']],
    ['-e-role=boss', ['datestyle=euro', 'role=boss']],
    ['-d 3', ['log_min_messages=debug3', 'log_statement=all', 'debug_print_parse=true']],
    ['-d0', ['log_min_messages=notice']],
    ['-bEjnT -C x -D y -r z -v 9', []],
    [
      '-OPsil',
      [
        'allow_system_table_mods=true',
        'ignore_system_indexes=true',
        'log_statement_stats=true',
        'listen_addresses=*',
        'ssl=true',
      ],
    ],
    ['-c a=b --', ['a=b']],
    ['-c -- ', 'error'],
    ['-c -c', 'error'],
    ['-c', 'error'],
    ['-ca', 'error'],
    ['--role', 'error'],
    ['role=boss', 'error'],
    ['- role=boss', 'error'],
    ['-- role=boss', 'error'],
    ['-z', 'error'],
    ['-fz', 'error'],
    ['-tx', 'error'],
    ['-c a=b c', 'error'],
    ['-A 1', 'error'],
  ])('%j are read as a server reads them', (options, expected) => {
    const seen = read(options);
    if (expected === 'error')
      expect(seen).toMatch(/^42601: (invalid command-line argument|.* requires a value)/);
    else expect(seen).toEqual(expected);
  });
});
