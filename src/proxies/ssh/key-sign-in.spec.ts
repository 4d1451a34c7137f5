import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AuthHandlerMiddleware, Client, type ConnectConfig, type ParsedKey, utils } from 'ssh2';
import { CREDENTIAL_ID, alice } from '../../../test/support/postgres-proxy';
import {
  type TestKey,
  blobOf,
  freshEcdsa,
  freshEd25519,
  freshRsa,
  lineOf,
} from '../../../test/support/ssh/public-keys';
import { type TestSshProxy, signedIn, startSshProxy } from '../../../test/support/ssh/ssh-proxy';

const REFUSED = 'All configured authentication methods failed';
const KEY = freshEd25519();
const STRANGER = freshEd25519();

/** The course of a sign-in, by the lines that the driver prints. */
interface Attempts {
  readonly end: string;
  /** Number of keys for which the gateway asked to sign. */
  readonly asked: number;
}

// promises: SSHKEY-2, SSHKEY-3
describe('signing in over SSH with a public key', () => {
  let proxy: TestSshProxy;
  const clients: Client[] = [];
  const attempt = async (options: ConnectConfig): Promise<Attempts> => {
    let asked = 0;
    const client = await signedIn(proxy.port, {
      username: 'prod-web',
      ...options,
      debug: (line) => (asked += Number(line.includes('Received USERAUTH_PK_OK'))),
    });
    if (typeof client === 'string') return { end: client, asked };
    clients.push(client);
    return { end: 'in', asked };
  };
  /** Offers keys one after another, as an agent does. */
  const offering = (keys: readonly (TestKey | ParsedKey)[], username = 'prod-web'): Promise<Attempts> => {
    const left = keys.map((key) => ('line' in key ? key.privateKey : key));
    const authHandler: AuthHandlerMiddleware = (_methods, _partial, next) => {
      const key = left.shift();
      if (key === undefined) next(false as never);
      else next({ type: 'publickey', username, key: key as string });
    };
    return attempt({ username, authHandler });
  };

  beforeEach(async () => {
    proxy = await startSshProxy();
    proxy.publicKeys.register(KEY.line);
  });

  afterEach(async () => {
    const closed = clients.map((client) => once(client, 'close'));
    for (const client of clients.splice(0)) client.end();
    await Promise.all(closed);
    await proxy.close();
  });

  it('takes a registered key of each type', async () => {
    const keys = [KEY, freshRsa(), freshEcdsa('P-256'), freshEcdsa('P-384'), freshEcdsa('P-521')];
    for (const { line } of keys) proxy.publicKeys.register(line, new Date('2030-01-01'));
    for (const key of keys) expect(await offering([key])).toEqual({ end: 'in', asked: 1 });
    for (const served of proxy.frontend.served)
      expect(served).toMatchObject({
        principal: alice,
        target: 'prod-web',
        credential: null,
        until: new Date('2030-01-01'),
        publicKey: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
      });
    expect(proxy.frontend.served).toHaveLength(keys.length);
  });

  it('answers an offer in the same way for each key, and looks for none before its signature is right', async () => {
    expect(await offering([STRANGER])).toEqual({ end: REFUSED, asked: 1 });
    expect(proxy.publicKeys.asked).toBe(1);
    const wrong = wronglySigning(KEY);
    const wrongStranger = wronglySigning(STRANGER);
    expect(await offering([wrong, wrongStranger])).toEqual({ end: REFUSED, asked: 2 });
    expect(proxy.publicKeys.asked).toBe(1);
    expect(proxy.authenticator.failures).toBe(2);
    expect(proxy.frontend.served).toHaveLength(0);
  });

  it('takes the right key after others of an agent, which count as no guesses', async () => {
    const others = Array.from({ length: 12 }, () => freshEd25519());
    expect((await offering([...others, KEY])).end).toBe('in');
    expect(proxy.authenticator.failures).toBe(0);
    const reasons = proxy.logged.filter((line) => JSON.stringify(line).includes('"reason":"unknown_key"'));
    expect(reasons).toHaveLength(others.length);
  });

  it('disconnects a client that offers a hundred keys, also if the right one is among them', async () => {
    const others = Array.from({ length: 99 }, () => freshEd25519());
    const { end, asked } = await offering([...others, KEY]);
    expect(end).not.toBe('in');
    expect(asked).toBe(15);
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"too_many_attempts"');
    expect(await offering([KEY])).toMatchObject({ end: 'in' });
  });

  it('disconnects after six wrong signatures', async () => {
    const { end, asked } = await offering(Array.from({ length: 20 }, () => wronglySigning(KEY)));
    expect(end).not.toBe('in');
    expect(asked).toBe(6);
    expect(proxy.authenticator.failures).toBe(6);
  });

  it('disconnects a guesser before a signature is checked', async () => {
    proxy.authenticator.mayFail = 0;
    expect((await offering([KEY])).end).not.toBe('in');
    expect(proxy.publicKeys.asked).toBe(0);
    expect(JSON.stringify(proxy.logged)).toContain('"reason":"guesser"');
  });

  it('asks for no signature with keys that nobody can register', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const small: TestKey = {
      privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      line: lineOf(blobOf(createPublicKey(privateKey))),
    };
    proxy.publicKeys.register(small.line);
    expect(await offering([small])).toEqual({ end: REFUSED, asked: 0 });
    expect(proxy.publicKeys.asked).toBe(0);
  });

  it('asks those who sign in with an issued password for no signature', async () => {
    for (const username of [CREDENTIAL_ID, `prod-web+${CREDENTIAL_ID}`])
      expect(await offering([KEY], username)).toEqual({ end: REFUSED, asked: 0 });
    expect(proxy.publicKeys.asked).toBe(0);
  });

  it('takes any name of a connection, and decides about it later', async () => {
    for (const username of ['../../etc/passwd', '', 'x'.repeat(20_000), 'payroll'])
      expect(await offering([KEY], username)).toEqual({ end: 'in', asked: 1 });
    expect(proxy.frontend.served.map(({ target }) => target)).toContain('../../etc/passwd');
  });

  it('identifies the person again by the key, for each channel', async () => {
    await offering([KEY]);
    const [served] = proxy.frontend.served;
    expect(await served?.identifyAgain()).toMatchObject({ principal: alice });
    proxy.publicKeys.registered.clear();
    await expect(served?.identifyAgain()).rejects.toMatchObject({
      code: 'unauthenticated',
      message: 'your public key has ended',
    });
  });
});

/** A key whose signatures are those of another key. */
function wronglySigning(key: TestKey): ParsedKey {
  const [mine, other] = [utils.parseKey(key.privateKey), utils.parseKey(STRANGER_TO_ALL.privateKey)];
  if (mine instanceof Error || other instanceof Error) throw new Error('a key could not be read');
  mine.sign = (...given) => other.sign(...given);
  return mine;
}

const STRANGER_TO_ALL = freshEd25519();
