import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Terminal } from '../../support/terminal';
import { describeWith } from '../../support/tls';
import { CommandLine, variablesOf } from './command-line';

/** Tests completion in real shells on a terminal, with the Tab key. */
describe('completion', () => {
  const line = new CommandLine(() => {
    throw new Error('there is no gateway: completion asks none');
  });
  const script = async (shell: string): Promise<string> => {
    const { out } = await line.run(['completion', shell], {});
    const file = join(line.folder, shell);
    writeFileSync(file, out);
    return file;
  };
  const typed = async (terminal: Terminal, begun: string, whole: string): Promise<void> => {
    terminal.type(`${begun}\t`);
    await terminal.until(whole);
    // Ctrl-U removes what was typed. Ctrl-C would interrupt a completion that
    // is not over, and then no new line begins.
    terminal.type('\u0015\r');
    await terminal.until('ready>');
  };
  const completes = async (terminal: Terminal): Promise<void> => {
    try {
      await terminal.until('ready>');
      await typed(terminal, 'gateway sess', 'gateway sessions');
      await typed(terminal, 'gateway sessions down', 'gateway sessions download');
      await typed(terminal, 'gateway --url https://x.example sessions download --for', '--format');
      await typed(terminal, 'gateway rules app', 'gateway rules apply');
      await typed(terminal, 'gateway rules diff --pru', '--prune');
      await typed(terminal, 'gateway comp', 'gateway completion');
    } finally {
      terminal.kill();
    }
  };

  afterAll(() => line.remove());

  describeWith('script')('in bash', () => {
    it('completes commands and options', async () => {
      const begin = join(line.folder, 'bashrc');
      writeFileSync(begin, `source ${await script('bash')}; PS1='ready>'\n`);
      await completes(new Terminal(`bash --noprofile --rcfile ${begin} -i`, variablesOf({})));
    });
  });

  describeWith('script', 'zsh')('in zsh', () => {
    it('completes commands and options', async () => {
      const file = await script('zsh');
      const begin = join(line.folder, '.zshrc');
      writeFileSync(begin, `autoload -U compinit; compinit -u -D; source ${file}; PS1='ready>'\n`);
      await completes(new Terminal('zsh -i', { ...variablesOf({}), ZDOTDIR: line.folder }));
    });
  });

  describeWith('fish')('in fish', () => {
    it('completes commands and options', async () => {
      const file = await script('fish');
      const offered = (begun: string): string[] =>
        execFileSync('fish', ['--no-config', '-c', `source ${file}; complete --do-complete '${begun}'`], {
          env: variablesOf({ HOME: line.folder }),
          encoding: 'utf8',
        })
          .split('\n')
          .map((one) => one.split('\t')[0] ?? '');
      expect(offered('gateway sess')).toContain('sessions');
      expect(offered('gateway sessions ')).toEqual(expect.arrayContaining(['download', 'list', 'tail']));
      expect(offered('gateway sessions ')).not.toContain('rules');
      expect(offered('gateway sessions download --for')).toContain('--format');
      expect(offered('gateway --url https://x.example rules ')).toContain('apply');
      expect(offered('gateway rules diff --pru')).toContain('--prune');
    });
  });
});
