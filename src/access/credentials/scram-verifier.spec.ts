import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ScramVerifier } from '../../gate/ports/issued-credentials';
import { scramVerifier } from './scram-verifier';

interface ClientSession {
  readonly mechanism: string;
  response: string;
}

/** The client side of SCRAM in the driver `pg`, which does not export it. */
const sasl = createRequire(__filename)(
  join(__dirname, '../../../node_modules/pg/lib/crypto/sasl.js'),
) as unknown as {
  startSession(mechanisms: string[]): ClientSession;
  continueSession(session: ClientSession, password: string, serverFirst: string): Promise<void>;
  finalizeSession(session: ClientSession, serverFinal: string): void;
};

/** Runs a sign-in with the server side of RFC 5802 in its simplest form. Returns which sides accepted it. */
async function signIn(
  verifier: ScramVerifier,
  password: string,
): Promise<{ client: boolean; server: boolean }> {
  const session = sasl.startSession(['SCRAM-SHA-256']);
  const clientFirst = session.response.replace(/^n,,/, '');
  const nonce = /r=(.*)$/.exec(clientFirst)?.[1] ?? '';
  const serverFirst = `r=${nonce}${randomBytes(18).toString('base64')},s=${verifier.salt.toString('base64')},i=${verifier.iterations}`;
  await sasl.continueSession(session, password, serverFirst);
  const [withoutProof = '', proof = ''] = session.response.split(',p=');
  const said = `${clientFirst},${serverFirst},${withoutProof}`;
  const signature = hmac(verifier.storedKey, said);
  const clientKey = Buffer.from(proof, 'base64').map((byte, at) => byte ^ (signature[at] ?? 0));
  const server = timingSafeEqual(createHash('sha256').update(clientKey).digest(), verifier.storedKey);
  try {
    sasl.finalizeSession(session, `v=${hmac(verifier.serverKey, said).toString('base64')}`);
    return { client: true, server };
  } catch {
    return { client: false, server };
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

describe('a SCRAM verifier', () => {
  const PASSWORD = randomBytes(32).toString('base64url');

  it('lets in the client that has the password, and convinces it', async () => {
    expect(await signIn(await scramVerifier(PASSWORD), PASSWORD)).toEqual({ client: true, server: true });
  });

  it.each(['x', `${PASSWORD} `, PASSWORD.slice(1), PASSWORD.toLowerCase()])(
    'lets nobody in with %j, and convinces nobody who has it',
    async (other) => {
      expect(await signIn(await scramVerifier(PASSWORD), other)).toEqual({ client: false, server: false });
    },
  );

  it('has a salt of its own each time, as long as those of PostgreSQL', async () => {
    const [one, other] = [await scramVerifier(PASSWORD), await scramVerifier(PASSWORD)];
    expect([one.salt.length, other.salt.length]).toEqual([16, 16]);
    expect(one.salt.equals(other.salt)).toBe(false);
    expect(one.storedKey.equals(other.storedKey)).toBe(false);
    expect(one.serverKey.equals(other.serverKey)).toBe(false);
  });
});
