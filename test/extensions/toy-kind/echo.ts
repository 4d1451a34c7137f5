import { once } from 'node:events';
import type { TargetKind } from '../../../src/targets/contract/kind';
import { dialEcho } from './echo-server';
import { linesClients } from './lines-clients';
import { spelling } from './spelling';

/** A kind of target that echoes each line. */
export const echo: TargetKind = {
  type: 'application',
  subtype: 'echo',
  title: 'Echo',
  secret: { fields: { PORT: { label: 'Port', required: true } } },
  language: spelling.name,
  client: linesClients,
  async probe({ PORT }) {
    try {
      (await dialEcho(PORT)).destroy();
      return undefined;
    } catch {
      return 'Nobody says anything back.';
    }
  },
  scripts: {
    async run({ PORT }, script, sink, _, dialled) {
      const socket = await dialEcho(PORT);
      dialled(true);
      socket.write(`${script}\n`);
      const [said] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      await sink('o', said.toString());
      return 0;
    },
  },
};
