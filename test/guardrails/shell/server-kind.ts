import type { TargetKind } from '../../../src/targets/contract/kind';
import { type ShellName, runScript } from './corpus/world';

/**
 * A kind of target that runs scripts with a real shell in a folder of this machine. The effect of a script is
 * what it does there.
 */
export const server: TargetKind = {
  type: 'application',
  subtype: 'server',
  title: 'Server',
  secret: {
    fields: { FOLDER: { label: 'Folder', required: true }, SHELL: { label: 'Shell', required: true } },
  },
  language: 'shell',
  client: null,
  probe: async () => undefined,
  scripts: {
    async run({ FOLDER = '', SHELL = '' }, script, sink, _, dialled) {
      dialled(true);
      const { exitCode, output } = await runScript(SHELL as ShellName, script, FOLDER);
      if (output !== '') await sink('o', output);
      return exitCode;
    },
  },
};
