import { createDecipheriv } from 'node:crypto';
import { bcryptKey } from './bcrypt-kdf';
import { Fields, sshString, sshUint32 } from './fields';

/** Maximum number of rounds. Each takes 40 ms of processor time. `ssh-keygen` writes 16 or 24. */
const MAX_ROUNDS = 100;
const MAX_SALT_BYTES = 1_024;

const BEGIN = '-----BEGIN OPENSSH PRIVATE KEY-----';
const END = '-----END OPENSSH PRIVATE KEY-----';
/** Source: PROTOCOL.key of OpenSSH. */
const MAGIC = Buffer.from('openssh-key-v1\0');

/** Ciphers of keys: names of OpenSSL, bytes of key and initialization vector. */
const CIPHERS: Readonly<Record<string, readonly [name: string, keyBytes: number]>> = {
  'aes256-ctr': ['aes-256-ctr', 32],
  'aes192-ctr': ['aes-192-ctr', 24],
  'aes128-ctr': ['aes-128-ctr', 16],
  'aes256-cbc': ['aes-256-cbc', 32],
  'aes192-cbc': ['aes-192-cbc', 24],
  'aes128-cbc': ['aes-128-cbc', 16],
};
const IV_BYTES = 16;

/** Reason for which an encrypted key cannot be read. */
export type EncryptedKeyFault = 'NO_PASSPHRASE' | 'WRONG_PASSPHRASE' | 'UNSUPPORTED' | 'MALFORMED';

/**
 * Returns the text of a key in OpenSSH's format without its encryption; a text that is not encrypted, or has
 * another format, is returned as it is.
 */
export async function decryptedKey(
  text: string,
  passphrase: string | undefined,
): Promise<{ readonly text: string } | EncryptedKeyFault> {
  if (!text.startsWith(BEGIN)) return { text };
  const bytes = Buffer.from(text.slice(BEGIN.length).split('-----')[0] ?? '', 'base64');
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 'MALFORMED';
  try {
    return await decrypted(text, new Fields(bytes, MAGIC.length), passphrase);
  } catch (error) {
    if (error instanceof RangeError) return 'MALFORMED';
    throw error;
  }
}

async function decrypted(
  text: string,
  fields: Fields,
  passphrase: string | undefined,
): Promise<{ readonly text: string } | EncryptedKeyFault> {
  const cipherName = fields.bytes().toString();
  const kdfName = fields.bytes().toString();
  const kdf = new Fields(fields.bytes());
  if (cipherName === 'none' && kdfName === 'none') return { text };
  const cipher = Object.hasOwn(CIPHERS, cipherName) ? CIPHERS[cipherName] : undefined;
  if (cipher === undefined || kdfName !== 'bcrypt') return 'UNSUPPORTED';
  if (passphrase === undefined || passphrase === '') return 'NO_PASSPHRASE';
  const [salt, rounds] = [kdf.bytes(), kdf.number()];
  if (salt.length === 0 || salt.length > MAX_SALT_BYTES || rounds === 0) return 'MALFORMED';
  if (rounds > MAX_ROUNDS || fields.number() !== 1) return 'UNSUPPORTED';
  const [publicKey, sealed] = [fields.bytes(), fields.bytes()];
  if (sealed.length % IV_BYTES !== 0) return 'MALFORMED';

  const [name, keyBytes] = cipher;
  const key = await bcryptKey(passphrase, { salt, rounds, bytes: keyBytes + IV_BYTES });
  const decipher = createDecipheriv(name, key.subarray(0, keyBytes), key.subarray(keyBytes));
  decipher.setAutoPadding(false);
  const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
  // The private part begins with one random number twice, by which a wrong passphrase shows.
  if (!opened.subarray(0, 4).equals(opened.subarray(4, 8))) return 'WRONG_PASSPHRASE';
  return { text: plainKey(publicKey, opened) };
}

function plainKey(publicKey: Buffer, privatePart: Buffer): string {
  const none = sshString('none');
  const bytes = [
    MAGIC,
    none,
    none,
    sshString(''),
    sshUint32(1),
    sshString(publicKey),
    sshString(privatePart),
  ];
  const base64 = Buffer.concat(bytes).toString('base64').replaceAll(/.{70}/g, '$&\n');
  return `${BEGIN}\n${base64}\n${END}\n`;
}
