import type { Client } from 'ssh2';
import { eventually } from '../support/eventually';
import { scoped } from '../support/scoped';
import { startOpenSshServer } from '../support/ssh/open-ssh-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';

/** Opens SFTP, and lists a folder. Returns whether there is something in it. */
function listsFiles(client: Client, folder: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    client.once('close', () => reject(new Error('disconnected')));
    client.sftp((refused, sftp) => {
      if (refused) return reject(refused);
      sftp.readdir(folder, (error, files) => (error ? reject(error) : resolve(files.length > 0)));
    });
  });
}

// promises: SSHCLIENT-11
describeWithPrograms(
  'the places for channels of one SSH client',
  ['sshd', 'ssh-keygen'],
  scoped((begin) => {
    jest.setTimeout(300_000);
    const path = beginSshClients(begin);

    it.each<[string, number, boolean]>([
      ['before its command has ended', 200, false],
      ['after it has read all', 30, true],
    ])('are never too few for one that closes each channel %s', async (_, channels, isRead) => {
      const client = await path.client();
      for (let count = 0; count < channels; count += 1) {
        const command = await execute(client, 'true');
        if (isRead) expect(await command.ended).toMatchObject({ code: 0, err: '' });
        else command.channel.close();
      }
      expect(await listsFiles(client, path.server.folder)).toBe(true);
      client.end();
    });

    it('are also those of the server, which refuses one channel and not the client', async () => {
      const server = await startOpenSshServer(['MaxSessions 2']);
      try {
        await path.ask('two-sessions', server.secret());
        const client = await path.client(await issuedLogin(path.gateway, 'two-sessions'));
        const running = [await execute(client, 'cat'), await execute(client, 'cat')];
        // Commands begin at the server in any order: each one runs only when its output has come.
        for (const command of running) {
          command.channel.write('on\n');
          await eventually('it runs', () => command.out() === 'on\n');
        }
        const refused = await execute(client, 'true');
        expect(await refused.ended).toEqual({
          code: 255,
          out: '',
          err: 'The server refused to open a session.\n',
        });
        for (const { channel } of running) channel.end('off\n');
        for (const { ended } of running) expect(await ended).toMatchObject({ code: 0, out: 'on\noff\n' });
        // This server has no SFTP.
        await expect(listsFiles(client, server.folder)).rejects.toThrow();
        expect(await (await execute(client, 'echo still')).ended).toMatchObject({ out: 'still\n' });
        client.end();
      } finally {
        await server.close();
      }
    });
  }),
);
