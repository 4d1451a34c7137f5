import { EventEmitter, once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Connection } from 'pg';
import { reliedOn } from '../../../test/support/relied-on';
import { DriverConnection, clientOver, processIdOf, streamOf, wireOf } from './driver-parts';

const relied = reliedOn('pg', 'src/targets/postgres/driver-parts.ts');

/** The server's messages AuthenticationOk, BackendKeyData (process id 7) and ReadyForQuery. */
const GREETING = Buffer.from('5200000008000000004b0000000c00000007000000015a0000000549', 'hex');

class OverSocket extends DriverConnection {
  readonly calls: string[] = [];
  readonly bytes = new EventEmitter();

  connect(): void {
    this.calls.push('connect');
    this.readMessages(this.bytes);
    process.nextTick(() => this.emit('connect'));
  }

  startup(): void {
    this.calls.push('startup');
  }
}

describe('the private parts of node-postgres', () => {
  let near: Socket;
  let far: Socket;

  beforeEach(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    [far] = (await once(server, 'connection')) as [Socket];
    server.close();
  });

  afterEach(() => [near, far].forEach((socket) => socket.destroy()));

  it('are as they were: a client over a connection that it is given', async () => {
    const connection = new OverSocket(near);
    const client = clientOver(connection, { user: 'me', database: 'orders', ssl: false });
    relied('processID before BackendKeyData', processIdOf(client), null);
    const connected = client.connect();
    await once(connection, 'connect');
    relied('its calls of connect() and startup()', connection.calls, ['connect', 'startup']);
    connection.bytes.emit('data', GREETING);
    await connected;
    relied('processID', processIdOf(client), 7);
    relied('connection.stream', streamOf(client) === near, true);
    const goodbye = once(far, 'data') as Promise<[Buffer]>;
    const ended = client.end();
    relied('_connecting: it says goodbye', (await goodbye)[0].toString('hex'), '5800000004');
    connection.emit('end');
    await ended;
  });

  it('are as they were: a connection, to a query that submits itself', async () => {
    const wire = wireOf(new Connection({ stream: near } as object));
    relied('stream', wire.stream === near, true);
    const said: Buffer[] = [];
    far.on('data', (bytes: Buffer) => said.push(bytes));
    wire.query('SELECT 1');
    wire.sendCopyFail('no');
    near.end();
    await once(far, 'end');
    relied(
      'query(), sendCopyFail()',
      Buffer.concat(said).toString('latin1'),
      'Q\0\0\0\rSELECT 1\0f\0\0\0\x07no\0',
    );
  });

  it('are as they were: the events of a connection', () => {
    const connection = new OverSocket(near);
    const heard: string[] = [];
    const wire = wireOf(connection);
    connection.connect();
    wire.on('copyOutResponse', ({ binary }) => heard.push(`copy, binary: ${binary}`));
    wire.once('readyForQuery', () => heard.push('ready'));
    // Two messages: a CopyOutResponse with one column in binary form, and ReadyForQuery.
    connection.bytes.emit('data', Buffer.from('480000000901000100015a0000000549', 'hex'));
    relied('copyOutResponse, readyForQuery', heard, ['copy, binary: true', 'ready']);
  });

  it('are told of in a sentence', () => {
    expect(() => relied('processID', undefined, 7)).toThrow(
      /^pg [\d.]+ changed a private part that src\/targets\/postgres\/driver-parts\.ts relies on \(processID\): it is undefined, not 7$/,
    );
  });
});
