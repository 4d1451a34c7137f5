import {
  BAD_CREDENTIAL,
  CONNECTION,
  CREDENTIAL_ID,
  type TestProxy,
  startProxy,
  verifierOf,
} from '../../../../test/support/postgres-proxy';
import { RawClient, answer, startUp } from '../../../../test/support/raw-client';

const FIRST = 'n,,n=,r=client';

function initial(mechanism: string, data: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(data.length);
  return answer(Buffer.concat([Buffer.from(`${mechanism}\0`), length, Buffer.from(data)]));
}

describe('signing in with an issued credential', () => {
  let proxy: TestProxy;
  const connect = (): Promise<RawClient> => RawClient.connect(proxy.port);

  beforeEach(async () => {
    proxy = await startProxy();
  });

  afterEach(() => proxy.close());

  const greet = async (user: string): Promise<{ client: RawClient; serverFirst: string }> => {
    const client = await connect();
    client.send(startUp({ user, database: CONNECTION.name }));
    expect((await client.message()).body.toString('latin1')).toBe('\0\0\0\x0aSCRAM-SHA-256\0\0');
    const { body } = await client.send(initial('SCRAM-SHA-256', FIRST)).message();
    return { client, serverFirst: body.toString('latin1', 4) };
  };
  const shape = /^r=client(?<nonce>[A-Za-z0-9+/]{24}),(?<rest>s=[A-Za-z0-9+/]{22}==,i=4096)$/;
  const wrongProof = async (user: string): Promise<{ rest: string; refused: unknown }> => {
    const { client, serverFirst } = await greet(user);
    const { nonce, rest } = shape.exec(serverFirst)?.groups ?? {};
    client.send(answer(`c=biws,r=client${nonce},p=${Buffer.alloc(32).toString('base64')}`));
    return { rest: String(rest), refused: await client.refusal() };
  };

  it('looks the same whether the name exists or not, each time', async () => {
    const stranger = CREDENTIAL_ID.replace('0b', '0c');
    const known = await wrongProof(CREDENTIAL_ID);
    const unknown = await wrongProof(stranger);
    expect(known.refused).toEqual(BAD_CREDENTIAL);
    expect(unknown.refused).toEqual(BAD_CREDENTIAL);
    expect(known.rest).toBe(`s=${verifierOf('').salt.toString('base64')},i=4096`);
    expect(await wrongProof(CREDENTIAL_ID)).toEqual(known);
    expect(await wrongProof(stranger)).toEqual(unknown);
    // User names are UUIDs, so a user name in capitals is the same user name.
    expect(await wrongProof(stranger.toUpperCase())).toEqual(unknown);
    expect(proxy.authenticator.failures).toBe(5);
  });

  it('a guesser is turned away before anybody is looked up', async () => {
    proxy.authenticator.mayFail = 0;
    const client = await connect();
    const refused = await client.send(startUp({ user: CREDENTIAL_ID })).refusal();
    expect(refused).toMatchObject({ C: '53300', M: expect.stringContaining('7 seconds') });
    expect(proxy.issued.asked).toEqual([]);
  });

  it('a lost database is told so', async () => {
    proxy.issued.fault = Object.assign(new Error('secret detail'), { code: 'ECONNRESET' });
    const client = await connect();
    await client.send(startUp({ user: CREDENTIAL_ID })).message();
    const refused = await client.send(initial('SCRAM-SHA-256', FIRST)).refusal();
    expect(refused).toMatchObject({ C: '57P03' });
  });

  it.each([
    ['a mechanism that was not offered', initial('SCRAM-SHA-256-PLUS', FIRST)],
    ['a mechanism that nobody has', initial('PLAIN', '\0a\0b')],
    ['a password', answer('hush\0')],
    ['too long a message', answer('x'.repeat(1_025))],
  ])('%s is a fault of the protocol', async (_, bytes) => {
    const client = await connect();
    client.send(startUp({ user: CREDENTIAL_ID }), bytes);
    await client.message();
    expect(await client.refusal()).toMatchObject({ C: '08P01' });
  });

  it('a client may wait to be asked for its first message', async () => {
    const client = await connect();
    client.send(startUp({ user: CREDENTIAL_ID }));
    await client.message();
    client.send(answer(Buffer.from('SCRAM-SHA-256\0\xff\xff\xff\xff', 'latin1')));
    expect(await client.message()).toEqual({ type: 'R', body: Buffer.from([0, 0, 0, 11]) });
    const { body } = await client.send(answer(FIRST)).message();
    expect(body.toString('latin1', 4)).toMatch(shape);
    client.socket.destroy();
  });
});
