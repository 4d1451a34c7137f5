import { once } from 'node:events';
import { connect } from 'node:net';
import * as fc from '../../support/fast-check';
import { execute } from '../../support/ssh/ssh-clients';
import {
  MESSAGE,
  RawSshClient,
  channelRequest,
  payloadOf,
  stringField,
  uint32,
} from '../../support/ssh/raw-ssh-client';
import { EndingFrontend, type TestSshProxy, signedIn, startSshProxy } from '../../support/ssh/ssh-proxy';
import { volume } from '../../support/volume';

/** Packets before the key exchange, and as many after the sign-in. */
const PACKETS = volume(200, 25_000);
/** Connections at a time. */
const AT_ONCE = 20;

const size = [80, 24, 0, 0].map(uint32);
const boolean = (value: boolean): Buffer => Buffer.from([value ? 1 : 0]);

/** Messages as clients send them: RFC 4253, 4252 and 4254. */
const MESSAGES = [
  payloadOf(1, uint32(11), stringField('bye'), stringField('')),
  payloadOf(MESSAGE.IGNORE, stringField('x')),
  payloadOf(3, uint32(1)),
  payloadOf(4, boolean(true), stringField('debug'), stringField('')),
  payloadOf(5, stringField('ssh-userauth')),
  payloadOf(7, uint32(1), stringField('server-sig-algs'), stringField('ssh-ed25519')),
  payloadOf(50, ...['alice', 'ssh-connection', 'none'].map(stringField)),
  payloadOf(
    50,
    ...['alice', 'ssh-connection', 'password'].map(stringField),
    boolean(false),
    stringField('p'),
  ),
  payloadOf(
    50,
    ...['alice', 'ssh-connection', 'publickey'].map(stringField),
    boolean(true),
    ...['ssh-ed25519', 'key', 'signature'].map(stringField),
  ),
  payloadOf(61, uint32(1), stringField('answer')),
  payloadOf(80, stringField('tcpip-forward'), boolean(true), stringField('::'), uint32(22)),
  payloadOf(80, stringField('no-such@example.com'), boolean(true)),
  payloadOf(MESSAGE.CHANNEL_OPEN, stringField('session'), uint32(0), uint32(1 << 20), uint32(32_768)),
  payloadOf(
    MESSAGE.CHANNEL_OPEN,
    stringField('direct-tcpip'),
    ...[1, 1 << 20, 32_768].map(uint32),
    stringField('127.0.0.1'),
    uint32(22),
    stringField('127.0.0.1'),
    uint32(1),
  ),
  payloadOf(91, ...[0, 0, 1 << 20, 32_768].map(uint32)),
  payloadOf(92, uint32(0), uint32(1), stringField('no'), stringField('')),
  payloadOf(MESSAGE.CHANNEL_WINDOW_ADJUST, uint32(0), uint32(1 << 20)),
  payloadOf(MESSAGE.CHANNEL_DATA, uint32(0), stringField('data')),
  payloadOf(95, uint32(0), uint32(1), stringField('error data')),
  payloadOf(MESSAGE.CHANNEL_EOF, uint32(0)),
  payloadOf(MESSAGE.CHANNEL_CLOSE, uint32(0)),
  channelRequest(0, 'pty-req', stringField('xterm'), ...size, stringField(Buffer.from([0]))),
  channelRequest(0, 'env', stringField('LC_ALL'), stringField('C')),
  channelRequest(0, 'exec', stringField('true')),
  channelRequest(0, 'shell'),
  channelRequest(0, 'subsystem', stringField('sftp')),
  channelRequest(0, 'window-change', ...size),
  channelRequest(0, 'signal', stringField('TERM')),
  channelRequest(0, 'x11-req', boolean(true), stringField('MIT'), stringField('00'), uint32(0)),
  channelRequest(0, 'auth-agent-req@openssh.com'),
  payloadOf(99, uint32(0)),
  payloadOf(100, uint32(0)),
];

const LENGTHS = [0, 1, 255, 32_769, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].map(uint32);

type Edit = (bytes: Buffer) => Buffer;
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (bytes: Buffer) => {
    const changed = Buffer.from(bytes);
    if (bytes.length > 0) changed[at % bytes.length] = byte;
    return changed;
  }),
  fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))),
  fc.uint8Array({ maxLength: 64 }).map((more) => (bytes: Buffer) => Buffer.concat([bytes, more])),
  fc.tuple(fc.nat(), fc.constantFrom(...LENGTHS)).map(([at, length]) => (bytes: Buffer) => {
    const changed = Buffer.from(bytes);
    length.copy(changed, at % (bytes.length + 1));
    return changed;
  }),
);
const edited = (valid: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(valid, fc.array(edit, { maxLength: 3 }))
    .map(([bytes, edits]) => edits.reduce((before, change) => change(before), bytes));

/** A packet without encryption: RFC 4253, section 6. */
function plainPacket(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8;
  return Buffer.concat([
    uint32(payload.length + padding + 1),
    Buffer.from([padding]),
    payload,
    Buffer.alloc(padding),
  ]);
}

const KEXINIT = payloadOf(
  20,
  Buffer.alloc(16, 7),
  ...['curve25519-sha256', 'ssh-ed25519', 'aes256-ctr', 'aes256-ctr'].map(stringField),
  ...['hmac-sha2-256', 'hmac-sha2-256', 'none', 'none', '', ''].map(stringField),
  boolean(false),
  uint32(0),
);
const IDENT = Buffer.from('SSH-2.0-OpenSSH_9.9\r\n');

const PING = payloadOf(80, stringField('ping@example.com'), boolean(true));

/** Sends payloads one after another, each with a question, and signs in again when it is disconnected. */
async function sendAll(port: number, payloads: Iterable<Buffer>): Promise<void> {
  let client: RawSshClient | undefined;
  for (const payload of payloads) {
    client ??= await RawSshClient.signIn(port);
    const answered = client.received(/REQUEST_FAILURE/).then(
      () => true,
      () => false,
    );
    client.send(payload);
    // A new key exchange, which this client does not go on with.
    const isExchange = payload[0] !== undefined && payload[0] >= 20 && payload[0] < 50;
    if (!isExchange) client.send(PING);
    if (!isExchange && (await answered)) continue;
    client.end();
    client = undefined;
  }
  client?.end();
}

// promises: SSHCLIENT-11
describe('an SSH client that sends broken packets', () => {
  jest.setTimeout(volume(120_000, 3_600_000));
  let proxy: TestSshProxy;

  beforeAll(async () => {
    proxy = await startSshProxy({}, new EndingFrontend());
  });

  afterEach(async () => {
    const other = await signedIn(proxy.port);
    if (typeof other === 'string') throw new Error(other);
    expect(await (await execute(other, 'true')).ended).toMatchObject({ code: 0 });
    other.end();
    await once(other, 'close');
  });

  afterAll(() => proxy.close());

  it('before the key exchange is disconnected, and disturbs nobody', async () => {
    const valid = fc
      .array(
        fc.constantFrom(KEXINIT, payloadOf(30, stringField(Buffer.alloc(32, 9))), payloadOf(21), ...MESSAGES),
        {
          minLength: 1,
          maxLength: 3,
        },
      )
      .map((payloads) => Buffer.concat([IDENT, ...payloads.map(plainPacket)]));
    const all = fc.sample(edited(valid), { numRuns: PACKETS, seed: 36 });
    for (let at = 0; at < all.length; at += AT_ONCE)
      await Promise.all(
        all.slice(at, at + AT_ONCE).map(async (bytes) => {
          const socket = connect(proxy.port, '127.0.0.1').resume();
          socket.on('error', () => undefined).end(bytes);
          await once(socket, 'close');
        }),
      );
  });

  it('after its sign-in gets answers or is disconnected, and disturbs nobody', async () => {
    const all = fc.sample(edited(fc.constantFrom(...MESSAGES)), { numRuns: PACKETS, seed: 36 });
    const left = all.values();
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendAll(proxy.port, left)));
  });
});
