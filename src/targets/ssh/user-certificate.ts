import { randomBytes } from 'node:crypto';
import { type ParsedKey, utils } from 'ssh2';
import { freshSshKey } from '../../platform/keys/fresh-ssh-key';
import type { CertificateUse, Secret } from '../contract/kind';
import { sshString, sshUint32, sshUint64 } from './fields';

/** Type of a certificate for a key `ssh-ed25519`, in OpenSSH's PROTOCOL.certkeys. */
export const CERTIFICATE_TYPE: string = 'ssh-ed25519-cert-v01@openssh.com';
const KEY_TYPE = 'ssh-ed25519';

/** Certificates for users have type 1, those for hosts 2. */
const FOR_USER = 1;
const NONCE_BYTES = 32;
/** Seconds for clocks that differ. A server checks a certificate at the sign-in only. */
const VALID_BEFORE_SECONDS = 300;
const VALID_AFTER_SECONDS = 300;
/** OpenSSH sets no limit. A longer one would make lines of logs hard to read. */
const MAX_KEY_ID = 512;

/** Contents of a certificate for one sign-in. */
export interface CertificateContents {
  /** The key of the user, as `getPublicSSH` of the driver returns it. */
  readonly publicKey: Buffer;
  /** Names the person and the session in the log of the server. */
  readonly keyId: string;
  /** The only account that the certificate is for; sshd compares it with the user who signs in. */
  readonly principal: string;
  /** Whether the server may give terminals. Nothing else is allowed: no forwarding, no `~/.ssh/rc`. */
  readonly hasTerminal: boolean;
  /** Time of the sign-in in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns a certificate that the CA has signed, valid for five minutes before and after `now`. Source:
 * PROTOCOL.certkeys of OpenSSH. Critical options: none.
 */
export function userCertificate(ca: ParsedKey, contents: CertificateContents): Buffer {
  const { publicKey, keyId, principal, hasTerminal, now } = contents;
  // A certificate without principals is valid for every account.
  if (principal === '') throw new Error('a certificate needs a principal');
  const seconds = BigInt(Math.floor(now / 1_000));
  const signed = Buffer.concat([
    sshString(CERTIFICATE_TYPE),
    sshString(randomBytes(NONCE_BYTES)),
    // The key without the name of its type: a field of 32 bytes.
    publicKey.subarray(sshString(KEY_TYPE).length),
    sshUint64(randomBytes(8).readBigUInt64BE()),
    sshUint32(FOR_USER),
    sshString(printable(keyId)),
    sshString(sshString(principal)),
    sshUint64(seconds - BigInt(VALID_BEFORE_SECONDS)),
    sshUint64(seconds + BigInt(VALID_AFTER_SECONDS)),
    sshString(''),
    sshString(hasTerminal ? Buffer.concat([sshString('permit-pty'), sshString('')]) : ''),
    sshString(''),
    sshString(ca.getPublicSSH()),
  ]);
  const signature = Buffer.concat([sshString(KEY_TYPE), sshString(ca.sign(signed))]);
  return Buffer.concat([signed, sshString(signature)]);
}

/** Returns the key id without control characters, so that nobody forges lines of a log with a name. */
function printable(keyId: string): string {
  return keyId.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_').slice(0, MAX_KEY_ID);
}

/**
 * Returns the secret for one sign-in: with `AUTH: certificate`, a fresh key and its certificate are added.
 * @param caKey private key of the CA in OpenSSH's format
 */
export async function withCertificate(
  secret: Secret,
  { keyId, hasTerminal }: CertificateUse,
  caKey: () => Promise<string>,
  now = Date.now(),
): Promise<Secret> {
  if (secret['AUTH'] !== 'certificate') return secret;
  const { key, publicKey } = freshSshKey();
  const certificate = userCertificate(privateKey(await caKey()), {
    publicKey: Buffer.from(publicKey, 'base64'),
    keyId,
    principal: secret['USER'] ?? '',
    hasTerminal,
    now,
  });
  return { ...secret, PRIVATE_KEY: key, CERTIFICATE: certificate.toString('base64') };
}

/**
 * Returns the key of `withCertificate`, in a form with which the driver signs in by certificate: the driver
 * takes the type and the public half from the key that it is given. `signByCertificate` has the rest.
 */
export function certifiedKey({ PRIVATE_KEY = '', CERTIFICATE = '' }: Secret): ParsedKey {
  const certificate = Buffer.from(CERTIFICATE, 'base64');
  return Object.assign(Object.create(privateKey(PRIVATE_KEY)) as ParsedKey, {
    type: CERTIFICATE_TYPE as ParsedKey['type'],
    getPublicSSH: () => certificate,
  });
}

function privateKey(text: string): ParsedKey {
  const key = utils.parseKey(text);
  if (key instanceof Error) throw new Error('a key of the gateway cannot be read', { cause: key });
  return key;
}
