import * as fc from '../../../test/support/fast-check';
import { DemoFiles } from './demo-files';
import { DemoShell } from './demo-shell';

const run = (script: string, files = new DemoFiles()) => new DemoShell(files).run(script);

describe('the shell of the demo', () => {
  it.each<[string, string, number]>([
    ['pwd; whoami; hostname', '/home/demo\ndemo\ndemo-server\n', 0],
    ['ls', 'notes.txt\n', 0],
    ['cd /srv/app\nls\ncd ..; pwd', 'config.yml\n/srv\n', 0],
    ['ls / # all of it', 'etc\nhome\nsrv\nvar\n', 0],
    [`echo 'a  b' "c" d\\ e   f`, 'a  b c d e f\n', 0],
    ['cat notes.txt', 'Deploy on Tuesdays. Ask Grace before a restart.\n', 0],
    ['', '', 0],
    ['# nothing\r\n\n;\n', '', 0],
    ['echo before; exit 7; echo after', 'before\n', 7],
    ['true', '', 127],
    ['cat /etc', '', 1],
    ['cd /nowhere', '', 1],
  ])('%s', (script, output, exitCode) => {
    expect(run(script)).toMatchObject({ output, exitCode });
  });

  it('removes files, and folders only when asked to', () => {
    const files = new DemoFiles();
    expect(run('rm /srv/app/config.yml; ls /srv/app', files)).toMatchObject({ output: '', exitCode: 0 });
    expect(run('rm /var', files)).toMatchObject({ errors: 'rm: /var: is a folder\n', exitCode: 1 });
    expect(run('rm -rf /var /nowhere; ls /', files)).toMatchObject({ output: 'etc\nhome\nsrv\n' });
    expect(run('rm -r /; ls /', files)).toMatchObject({ output: '', exitCode: 0 });
    expect(run('rm /nowhere', files)).toMatchObject({ errors: 'rm: /nowhere: no such file\n', exitCode: 1 });
  });

  it.each([
    'ls | cat',
    'echo $HOME',
    'echo `ls`',
    'echo x > y',
    'ls &',
    'ls *',
    '(ls)',
    "echo 'open",
    'a "$b"',
  ])('runs nothing of what it does not read: %s', (script) => {
    expect(run(`rm /etc/hostname\n${script}`)).toEqual({
      output: '',
      errors: 'demo-shell: this is no script for the demo; see help\n',
      exitCode: 2,
    });
  });

  it('never throws, and its work is bounded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (script) => {
        expect(Number.isInteger(run(script).exitCode)).toBe(true);
      }),
    );
    expect(run('x'.repeat(70_000)).exitCode).toBe(2);
    const many = run('cat /var/log/app.log\n'.repeat(3_000)).output.length;
    expect(many).toBeLessThan(1024 * 1024 + 1_000);
  });
});
