import { once } from 'node:events';
import { Client, type ParsedKey } from 'ssh2';
import { freshSshKey } from '../../platform/keys/fresh-ssh-key';
import { announcePackets } from '../../../test/support/ssh/packet-sizes';
import { type PlayedServer, playServer } from '../../../test/support/ssh/played-server';
import { reliedOn } from '../../../test/support/relied-on';
import { refuseSmallPackets, signByCertificate, signalCommand } from './driver-parts';
import { Fields, sshString } from './fields';
import { openSsh } from './open-ssh';
import { CERTIFICATE_TYPE, certifiedKey, withCertificate } from './user-certificate';

const relied = reliedOn('ssh2', 'src/targets/ssh/driver-parts.ts');

interface SignInProtocol {
  authPK(name: string, key: ParsedKey, algorithm?: string, sign?: (data: Buffer, done: Done) => void): void;
  readonly _cipher: { encrypt(packet: Buffer): void };
}
type Done = (signature: Buffer) => void;

/** The payload of a packet before its encryption: RFC 4253, section 6. */
function payloadOf(packet: Buffer): Buffer {
  return packet.subarray(5, 4 + packet.readUInt32BE(0) - (packet[4] ?? 0));
}

/** The names of algorithms in a request that has a signature: of the request, and of the signature. */
function algorithmsIn(payload: Buffer): { readonly request: string; readonly signature: string } {
  const fields = new Fields(payload, 1);
  const [, , method] = [fields.bytes(), fields.bytes(), fields.bytes()];
  expect(String(method)).toBe('publickey');
  const rest = new Fields(payload, payload.indexOf(sshString('publickey')) + 14);
  const [request, , signature] = [rest.bytes(), rest.bytes(), rest.bytes()];
  return { request: String(request), signature: String(new Fields(signature ?? Buffer.alloc(0)).bytes()) };
}

interface Parts {
  readonly outgoing: { readonly id: number; readonly state: string };
}

describe('the private parts of ssh2', () => {
  let server: PlayedServer | undefined;
  afterEach(() => server?.close());

  it('send a signal to a command, also when all of its input was sent, and none after its end', async () => {
    const signals: string[] = [];
    let exit = (): void => undefined;
    server = await playServer({
      exec: (channel, _info, session) => {
        session.on('signal', (_accept, _reject, { name }) => {
          signals.push(name);
          exit = () => {
            channel.exit(0);
            channel.end();
          };
          channel.write('signalled');
        });
      },
    });
    const ssh = await openSsh(server.secret());
    const channel = await ssh.open((opened) => ssh.client.exec('sleep', opened));
    channel.stderr.resume();
    const { outgoing } = channel as unknown as Parts;
    relied('the id of a channel', typeof outgoing.id, 'number');
    relied('the state of an open channel', outgoing.state, 'open');
    signalCommand(ssh.client, channel, 'TERM');
    await once(channel, 'data');
    expect(signals).toEqual(['TERM']);

    channel.end();
    await once(channel, 'finish');
    relied('the state of a channel whose input was sent', outgoing.state, 'eof');
    const { _protocol: protocol } = ssh.client as unknown as { _protocol: { signal(): void } };
    const sent = jest.spyOn(protocol, 'signal');
    channel.signal('INT');
    relied('signals of the public function after the end of the input', sent.mock.calls, []);
    signalCommand(ssh.client, channel, 'KILL');
    expect(sent.mock.calls).toEqual([[outgoing.id, 'KILL']]);

    exit();
    channel.resume();
    await once(channel, 'close');
    signalCommand(ssh.client, channel, 'KILL');
    expect(sent).toHaveBeenCalledTimes(1);
    ssh.close();
    expect(await ssh.ended).toBeUndefined();
  });

  it('name the type of a signature as that of the request, until they are changed for certificates', async () => {
    server = await playServer();
    const secret = { ...server.secret(), AUTH: 'certificate' };
    const use = { keyId: 'alice', hasTerminal: false };
    const key = certifiedKey(await withCertificate(secret, use, () => Promise.resolve(freshSshKey().key)));
    const client = new Client();
    client.on('error', () => undefined);
    // No answer: the client waits for a method.
    client.connect({
      host: '127.0.0.1',
      port: server.port,
      username: 'alice',
      authHandler: () => undefined,
    });
    await once(client, 'handshake');
    const { _protocol: protocol } = client as unknown as { readonly _protocol: SignInProtocol };
    relied('the function that sends a key', typeof protocol.authPK, 'function');
    const sent: Buffer[] = [];
    jest.spyOn(protocol._cipher, 'encrypt').mockImplementation((packet) => void sent.push(payloadOf(packet)));
    const signed: Buffer[] = [];
    const request = (): Buffer => {
      protocol.authPK('alice', key, undefined, (data, done) => {
        signed.push(data);
        done(key.sign(data));
      });
      return sent.at(-1) ?? Buffer.alloc(0);
    };
    protocol.authPK('alice', key);
    const question = sent.at(-1);
    const before = request();
    relied('the types in a request for a certificate', algorithmsIn(before), {
      request: CERTIFICATE_TYPE,
      signature: CERTIFICATE_TYPE,
    });

    signByCertificate(client, 'ssh-ed25519');
    const after = request();
    expect(algorithmsIn(after)).toEqual({ request: CERTIFICATE_TYPE, signature: 'ssh-ed25519' });
    expect(after).toHaveLength(before.length - CERTIFICATE_TYPE.length + 'ssh-ed25519'.length);
    expect(key.verify(signed[1] ?? '', after.subarray(-64))).toBe(true);
    // All that was signed is sent, behind the id of the session.
    const covered = signed[1] ?? Buffer.alloc(0);
    expect(covered.includes(after.subarray(0, after.length - sshString('ssh-ed25519').length - 72))).toBe(
      true,
    );

    protocol.authPK('alice', key);
    expect(sent.at(-1)).toEqual(question);
    client.destroy();
  });

  it('open a channel whose packets have no bytes, on either side, until they are bounded', async () => {
    const announced: number[] = [];
    /** Whether a channel between a client and the server opens. */
    const opens = async (bound: { client?: true; server?: true }, bytes: number): Promise<boolean> => {
      const side = bound.server === true ? 'client' : 'server';
      server = await playServer({
        connected: (connection) => {
          if (side === 'server') announcePackets(connection, bytes);
          if (bound.server === true) refuseSmallPackets(connection);
          connection.on('tcpip', (accept) => {
            const { outgoing } = accept() as unknown as { outgoing: { packetSize: number } };
            if (side === 'client') announced.push(outgoing.packetSize);
          });
        },
      });
      const client = new Client();
      const { port } = server;
      client.connect({ host: '127.0.0.1', port, username: 'alice', password: 'right' });
      if (bound.client === true) refuseSmallPackets(client);
      await once(client, 'ready');
      if (side === 'client') announcePackets(client, bytes);
      const isOpen = await new Promise<boolean>((resolve) =>
        client.forwardOut('a', 1, 'b', 2, (error, channel) => {
          if (side === 'server' && error === undefined)
            announced.push((channel as unknown as { outgoing: { packetSize: number } }).outgoing.packetSize);
          resolve(error === undefined);
        }),
      );
      client.destroy();
      await server.close();
      return isOpen;
    };
    relied('a channel without a least packet size', await opens({}, 0), true);
    relied('the announced size', announced, [0]);
    expect([await opens({ client: true }, 1_023), await opens({ server: true }, 1_023)]).toEqual([
      false,
      false,
    ]);
    expect([await opens({ client: true }, 1_024), await opens({ server: true }, 1_024)]).toEqual([
      true,
      true,
    ]);
    relied('the sizes of channels that are open', announced, [0, 1_024, 1_024]);
  });
});
