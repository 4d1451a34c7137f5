import { once } from 'node:events';
import { type Server, createServer, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { duplexPair } from 'node:stream';
import { serveOwnConnection } from '../../../kernel/runtime/served-socket';
import { OpenSockets } from './open-sockets';

describe('the open connections of a server', () => {
  let server: Server;
  let sockets: OpenSockets;
  let answered: () => void;
  let seen: string[];

  beforeEach(() => {
    seen = [];
    server = createServer((_request, response) => {
      response.once('close', () => seen.push('answer closed'));
      answered = () => void response.end('done');
    });
    sockets = new OpenSockets(server);
  });

  const call = async (): Promise<Duplex> => {
    const [ours, theirs] = duplexPair();
    Object.assign(theirs, { destroySoon: () => void theirs.end() });
    theirs.on('error', () => undefined);
    serveOwnConnection(server, theirs);
    const arrived = once(server, 'request');
    const request = httpRequest({ createConnection: () => ours, headers: { connection: 'close' } });
    request.on('error', () => undefined).on('response', (response) => response.resume());
    request.end();
    await arrived;
    return ours;
  };
  const allClosed = () => sockets.allClosed().then(() => seen.push('all closed'));

  it('are all closed after the last answer has told its listeners', async () => {
    await call();
    const closed = allClosed();
    answered();
    await closed;
    expect(seen).toEqual(['answer closed', 'all closed']);
  });

  it('are closed when their clients are cut', async () => {
    const client = await call();
    const closed = allClosed();
    client.destroy();
    sockets.destroy();
    await closed;
    expect(seen).toEqual(['answer closed', 'all closed']);
  });

  it('are none at first', async () => {
    await allClosed();
    expect(seen).toEqual(['all closed']);
  });
});
