import { createHmac, createPrivateKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ParsedKey, utils } from 'ssh2';
import { type EncryptedKeyFault, decryptedKey } from './encrypted-key';
import { isTooShort, publicKeyBits } from './key-length';

/** Maximum size of a private key in UTF-16 code units. An RSA key of 16 384 bits has 13 000. */
const MAX_LENGTH = 32 * 1024;
const MAX_KEPT = 1_000;

/** Types that the gateway signs with. DSA is not secure; keys of security tokens need the token. */
const TYPES = /^(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)$/;

/** Random secret in the names of the cache, so that nobody can guess passphrases by these names. */
const PEPPER = randomBytes(32);
const kept = new LRUCache<string, Promise<ParsedKey | string>>({ max: MAX_KEPT });

const FAULTS: Readonly<Record<EncryptedKeyFault, string>> = {
  NO_PASSPHRASE: 'is encrypted, so secret.PASSPHRASE is required',
  WRONG_PASSPHRASE: 'cannot be read with this PASSPHRASE',
  UNSUPPORTED:
    'is encrypted in a way that is not supported. Write it anew with ssh-keygen -p -Z aes256-ctr -a 24',
  MALFORMED: 'is not a complete private key',
};

/**
 * Returns the private key, or its fault in a few words, which follow the name of the field. The last thousand
 * are kept in memory, because decrypting one takes more than a second.
 */
export function signInKey(text: string, passphrase: string | undefined): Promise<ParsedKey | string> {
  const name = createHmac('sha256', PEPPER)
    .update(JSON.stringify([text, passphrase ?? '']))
    .digest('base64');
  const known = kept.get(name);
  if (known !== undefined) return known;
  const key = readKey(text, passphrase);
  kept.set(name, key);
  key.catch(() => kept.delete(name));
  return key;
}

async function readKey(given: string, passphrase: string | undefined): Promise<ParsedKey | string> {
  if (given.length > MAX_LENGTH) return 'is longer than a private key';
  const text = given.replaceAll('\r\n', '\n').trim();
  if (text.startsWith('PuTTY-')) return 'is in the format of PuTTY. Export it as an OpenSSH key';
  if (/^(?:ssh-|ecdsa-|sk-)/.test(text) || text.includes(' PUBLIC KEY-----'))
    return 'is a public key. The private one is required';
  if (text.startsWith('-----BEGIN ENCRYPTED PRIVATE KEY-----')) return FAULTS.UNSUPPORTED;
  const plain = text.startsWith('-----BEGIN PRIVATE KEY-----') ? fromPkcs8(text) : text;
  if (plain === undefined) return 'is PKCS #8 of an unsupported type. Write it anew with ssh-keygen -p';
  const opened = await decryptedKey(plain, passphrase);
  return typeof opened === 'string' ? FAULTS[opened] : parsed(opened.text, passphrase);
}

function parsed(text: string, passphrase: string | undefined): ParsedKey | string {
  const isEncrypted = text.includes('Proc-Type: 4,ENCRYPTED');
  if (isEncrypted && !passphrase) return FAULTS.NO_PASSPHRASE;
  const read: ParsedKey | readonly ParsedKey[] | Error = utils.parseKey(text, passphrase);
  if (read instanceof Error) return isEncrypted ? FAULTS.WRONG_PASSPHRASE : faultOf(read);
  const [key] = [read].flat();
  if (key === undefined || !key.isPrivateKey()) return FAULTS.MALFORMED;
  if (!TYPES.test(key.type)) return `has the unsupported type ${key.type}. Use ssh-ed25519`;
  if (isTooShort(publicKeyBits(key))) return 'is an RSA key of less than 2048 bits';
  return key;
}

function faultOf({ message }: Error): string {
  const [, type] = /Unsupported (?:OpenSSH )?(?:private )?key type: (\S+)/i.exec(message) ?? [];
  return type === undefined ? FAULTS.MALFORMED : `has the unsupported type ${type}. Use ssh-ed25519`;
}

/** Returns the key in the older format of its type, because the driver does not read PKCS #8. */
function fromPkcs8(text: string): string | undefined {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }).toString();
    if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }).toString();
    return undefined;
  } catch {
    return undefined;
  }
}
