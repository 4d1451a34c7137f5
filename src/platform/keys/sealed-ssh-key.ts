import { createHash, randomUUID } from 'node:crypto';
import { freshSshKey } from './fresh-ssh-key';
import type { SecretBox } from './secret-box';

/** The only type of SSH keys that the gateway makes. All programs that still get security fixes know it. */
export const SSH_KEY_TYPE = 'ssh-ed25519';

/** The public half of an SSH key. */
export interface PublicSshKey {
  readonly type: string;
  /** The key in base64, as in a line of known_hosts. */
  readonly publicKey: string;
  /** SHA-256 of the key, as `ssh` shows it: `SHA256:…`. */
  readonly fingerprint: string;
}

/** A row with an SSH key whose private half is sealed. */
export interface StoredSshKey {
  readonly id: string;
  readonly type: string;
  readonly secret: Buffer;
  /** Public half in base64. */
  readonly public_key: string;
}

/** Returns additional authenticated data, so that a key copied into another row cannot be decrypted there. */
export type ContextOfKey = (row: { readonly id: string }) => string;

/** Makes a key to be stored. */
export function sealedSshKey(box: SecretBox, context: ContextOfKey): StoredSshKey {
  const id = randomUUID();
  const { key, publicKey } = freshSshKey();
  const secret = box.seal({ KEY: key }, context({ id }));
  return { id, type: SSH_KEY_TYPE, secret, public_key: publicKey };
}

/** Returns the private key in OpenSSH's format. @throws UnknownSecretKey */
export function openedSshKey(box: SecretBox, { id, secret }: StoredSshKey, context: ContextOfKey): string {
  const { KEY } = box.open(secret, context({ id }));
  if (KEY === undefined) throw new Error('the sealed SSH key has no KEY');
  return KEY;
}

export function publicSshKey({ type, public_key: publicKey }: StoredSshKey): PublicSshKey {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  return { type, publicKey, fingerprint: `SHA256:${hash.replace(/=+$/, '')}` };
}
