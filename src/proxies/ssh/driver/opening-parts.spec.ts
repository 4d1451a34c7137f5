import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, type Connection, Server } from 'ssh2';
import { reliedOn } from '../../../../test/support/relied-on';
import { openStream } from '../../../../test/support/ssh/forwarded';
import { freshSshKey } from '../../../platform/keys/fresh-ssh-key';
import { refuseOpening } from './opening-parts';

const relied = reliedOn('ssh2', 'src/proxies/ssh/driver/opening-parts.ts');

/** Returns what a client learns of the refusals of two streams. */
async function refusals(refuse: (connection: Connection, reject: () => void) => void): Promise<unknown[]> {
  const server = new Server({ hostKeys: [freshSshKey().key] }, (connection) => {
    connection.on('error', () => undefined);
    connection.on('authentication', (attempt) => attempt.accept());
    connection.on('tcpip', (_, reject) => refuse(connection, reject));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client();
  const ready = once(client, 'ready');
  client.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, username: 'x' });
  await ready;
  const found = [await openStream(client, 'db', 1), await openStream(client, 'db', 1)];
  client.end();
  await once(client, 'close');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return found;
}

describe('a stream that is refused', () => {
  it('has the reason and the text', async () => {
    const texts = ['not there', 'not now'];
    const found = await refusals((connection, reject) =>
      refuseOpening(connection, reject, { reason: 'prohibited', text: texts.shift() ?? '' }),
    );
    relied('how a stream is refused', found, ['1 not there', '1 not now']);
  });

  it('has no text otherwise, so that the file is needed', async () => {
    const found = await refusals((_, reject) => reject());
    relied('the words of a refusal', found, ['2 ', '2 ']);
  });
});
