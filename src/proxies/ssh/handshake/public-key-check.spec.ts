import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { PublicKeyAuthContext } from 'ssh2';
import { blobOf } from '../../../../test/support/ssh/public-keys';
import { isSignedBy, offeredKey } from './public-key-check';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const RSA = blobOf(createPublicKey(privateKey));
const SIGNED = Buffer.from('what is signed');

/** An attempt as the driver gives it. */
function attemptOf(algo: string, hashAlgo?: string, signature?: Buffer): PublicKeyAuthContext {
  const attempt: Partial<PublicKeyAuthContext> = {
    key: { algo, data: RSA },
    ...(hashAlgo === undefined ? {} : { hashAlgo }),
    ...(signature === undefined ? {} : { blob: SIGNED, signature }),
  };
  return attempt as PublicKeyAuthContext;
}

// promises: SSHKEY-2
describe('the check of a signature', () => {
  it('accepts RSA with SHA-2 alone, and no key under the name of another type', () => {
    expect(offeredKey(attemptOf('ssh-rsa', 'sha256'))?.hash).toBe('sha256');
    expect(offeredKey(attemptOf('ssh-rsa', 'sha512'))?.hash).toBe('sha512');
    // The driver names no hash for the algorithm `ssh-rsa` itself, which signs with SHA-1.
    expect(offeredKey(attemptOf('ssh-rsa'))).toBeUndefined();
    expect(offeredKey(attemptOf('ssh-ed25519'))).toBeUndefined();
    expect(offeredKey(attemptOf('rsa-sha2-512-cert-v01@openssh.com', 'sha512'))).toBeUndefined();
  });

  it('accepts the signature of the key over these bytes with this hash, and no other', async () => {
    const check = async (signature: Buffer): Promise<boolean> => {
      const attempt = attemptOf('ssh-rsa', 'sha512', signature);
      const offered = offeredKey(attempt);
      return offered !== undefined && isSignedBy(offered, attempt);
    };
    const right = sign('sha512', SIGNED, privateKey);
    expect(await check(right)).toBe(true);
    for (const wrong of [
      sign('sha256', SIGNED, privateKey),
      sign('sha1', SIGNED, privateKey),
      sign('sha512', Buffer.from('what is signee'), privateKey),
      right.subarray(1),
      Buffer.concat([right, Buffer.alloc(1)]),
      Buffer.alloc(0),
      Buffer.alloc(256),
    ])
      expect(await check(wrong)).toBe(false);
  });
});
