import { KeyFields } from './ssh-key-fields';
import { type RefusedKey, type SshPublicKey, readSshKeyBlob, refusedKey } from './ssh-public-key';

/**
 * Marks of private keys: PEM and OpenSSH, PuTTY, SSH.com, and the base64 of `openssh-key-v1`, with which an
 * OpenSSH key begins where its first line is missing.
 */
const PRIVATE =
  /BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY|PuTTY-User-Key-File|Private-Lines:|SSH2 ENCRYPTED PRIVATE|b3BlbnNzaC1rZXktdjE/i;
/** Marks of public keys in another form: RFC 4716, PEM. */
const OTHER_FORM = /BEGIN (?:SSH2 |RSA )?PUBLIC KEY/i;
/** The form of OpenSSH: type, base64, comment. */
const LINE = /^([\w@.-]{1,64})[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t].*)?$/;
/** Options of `authorized_keys`, and a type after them. */
const AFTER_OPTIONS = /[ \t](?:ssh-|ecdsa-|sk-)[\w@.-]+[ \t]+AAAA/;

/**
 * Reads a public key as it stands in a `.pub` file of OpenSSH: `ssh-ed25519 AAAA… comment`. The comment is
 * dropped. A private key is refused before anything else of it is looked at.
 */
export function readSshKeyLine(given: string): SshPublicKey | RefusedKey {
  if (PRIVATE.test(given))
    return refusedKey(
      'this is a private key. It was not stored, but it has left your computer: make another one, and register the .pub file',
    );
  const line = given.trim();
  if (OTHER_FORM.test(line))
    return refusedKey('this key is in another form: ssh-keygen -i -f FILE shows it in the form of OpenSSH');
  if (/[\r\n]/.test(line)) return refusedKey('register one public key at a time, in one line');
  const [, type, base64] = LINE.exec(line) ?? [];
  if (type === undefined || base64 === undefined) return noKey(line);
  const blob = Buffer.from(base64, 'base64');
  const isWhole = blob.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  // The type stands in the key once more.
  return isWhole && new KeyFields(blob).text() === type ? readSshKeyBlob(blob) : noKey(line);
}

function noKey(line: string): RefusedKey {
  if (AFTER_OPTIONS.test(line))
    return refusedKey('options before the key are not supported: begin with the type of the key');
  return refusedKey('this is no public key of OpenSSH, such as: ssh-ed25519 AAAA… name@computer');
}
