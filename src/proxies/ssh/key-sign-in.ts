import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import type { Authenticator } from '../../gate/ports/authenticator';
import type { PublicKeys } from '../../gate/ports/public-keys';
import { AppError } from '../../kernel/app-error';
import { sshFingerprint, sshKeyDigest } from '../../platform/keys/ssh-public-key';
import type { EntryTurns } from '../kit/entry-turns';
import type { Identity, SignedInSshClient } from './signed-in-client';
import { isSignedBy, offeredKey } from './handshake/public-key-check';
import { SshRefusal } from './handshake/ssh-refusal';
import { readUserName } from './handshake/user-name';

interface KeyServices {
  readonly authenticator: Authenticator;
  readonly publicKeys: PublicKeys;
  /** Limits how many clients query the database concurrently. */
  readonly turns: EntryTurns;
}

/**
 * Whether a client asks if it should sign with a key that could be registered. The answer is the same for
 * each of these keys, registered or not. Clients with an issued password get no for an answer, so that no
 * person has to enter the passphrase of a key in vain.
 */
export function isOffer(attempt: AuthContext): boolean {
  return (
    attempt.method === 'publickey' &&
    attempt.signature === undefined &&
    readUserName(attempt.username).kind === 'connection' &&
    offeredKey(attempt) !== undefined
  );
}

/**
 * Identifies the person who signed. The signature is checked first, in the same time for registered and
 * other keys, so that only those who have a private key learn whether its public key is registered.
 * @returns undefined for a key or an algorithm that nobody can use
 * @throws SshRefusal `bad_credential` for a wrong signature, `unknown_key` for a right one with a key that
 * opens nothing; AppError
 */
export async function identifyByKey(
  signed: PublicKeyAuthContext,
  address: string,
  { authenticator, publicKeys, turns }: KeyServices,
): Promise<(Identity & Pick<SignedInSshClient, 'identifyAgain'>) | undefined> {
  const offered = offeredKey(signed);
  if (offered === undefined) return undefined;
  const { blob } = offered.key;
  const publicKey = sshFingerprint(sshKeyDigest(blob));
  const attempt = { address, subject: publicKey };
  await authenticator.refuseGuesser(attempt);
  if (!(await isSignedBy(offered, signed))) {
    await authenticator.failed(attempt);
    throw new SshRefusal('bad_credential');
  }
  const identify = async (): Promise<Identity | undefined> => {
    const owner = await turns.run(() => publicKeys.use(blob));
    if (owner === undefined) return undefined;
    const { principal, expiresAt } = owner;
    return { principal, credential: null, reason: null, until: expiresAt, publicKey };
  };
  const identity = await identify();
  if (identity === undefined) throw new SshRefusal('unknown_key');
  const identifyAgain = async (): Promise<Identity> => {
    const again = await identify();
    if (again === undefined) throw new AppError('unauthenticated', 'your public key has ended');
    return again;
  };
  return { ...identity, identifyAgain };
}
