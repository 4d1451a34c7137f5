import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { checkedFetch } from './checked-fetch';

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

describe('a request to a server that switches protocols', () => {
  it('fails at once', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(SWITCHING));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = checkedFetch(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { method: 'GET' } as never);
    await expect(asked).rejects.toThrow('the server switched protocols');
    server.close();
    await once(server, 'close');
  });
});
