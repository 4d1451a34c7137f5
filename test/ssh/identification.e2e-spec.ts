import { once } from 'node:events';
import { connect } from 'node:net';
import { openSsh } from '../../src/targets/ssh/open-ssh';
import { listenAt } from '../support/ssh/forwarded';
import { startSshProxy } from '../support/ssh/ssh-proxy';

/**
 * AsyncSSH (the name anywhere) and libssh (with a version) take this as a sign that paths of a symbolic link
 * come in the order of OpenSSH. RFC 4253, section 4.2: a comment follows after one space; 255 bytes at most.
 */
const NAMES_OPENSSH = /^SSH-2\.0-AccessGateway OpenSSH_\d+\.\d+[!-~]{0,200}\r\n/;

// promises: SSHCLIENT-9
describe('the identification of the gateway', () => {
  it('names OpenSSH in its comment to clients', async () => {
    const proxy = await startSshProxy();
    const client = connect(proxy.port, '127.0.0.1');
    const [sent] = (await once(client, 'data')) as [Buffer];
    client.destroy();
    await proxy.close();
    expect(sent.toString('latin1')).toMatch(NAMES_OPENSSH);
  });

  it('names OpenSSH in its comment to servers', async () => {
    let taken: (sent: Buffer) => void;
    const sent = new Promise<Buffer>((resolve) => (taken = resolve));
    const server = await listenAt(0, (socket) => {
      socket.write('SSH-2.0-x\r\n');
      socket.once('data', (bytes: Buffer) => {
        taken(bytes);
        socket.destroy();
      });
    });
    const HOST_KEY = `SHA256:${'a'.repeat(43)}`;
    const secret = { HOST: '127.0.0.1', PORT: String(server.port), USER: 'web', PASS: 'x', HOST_KEY };
    await expect(openSsh(secret)).rejects.toThrow();
    expect((await sent).toString('latin1')).toMatch(NAMES_OPENSSH);
    await server.close();
  });
});
