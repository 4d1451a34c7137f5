import { createHash } from 'node:crypto';
import { utils } from 'ssh2';
import { isTooShort, publicKeyBits } from './key-length';

/** Host keys by which the gateway knows a server: whole keys, and fingerprints of keys. */
export interface HostKeys {
  /** Fingerprints of all pinned keys, as `SHA256:…`. */
  readonly fingerprints: ReadonlySet<string>;
  /** Types of the pinned keys that are known as a whole. */
  readonly types: ReadonlySet<string>;
}

const MAX_LINES = 100;
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
const KEY_TYPES = /^(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)$/;

/** Returns the fingerprint of a public key in the form of `ssh-keygen -l`. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Reads the lines of `HOST_KEY`. Lines with a fault are left out; `hostKeyFault` reports them. */
export function hostKeys(value: string): HostKeys {
  const fingerprints = new Set<string>();
  const types = new Set<string>();
  for (const line of linesOf(value)) {
    const read = readLine(line);
    if (typeof read === 'string') continue;
    fingerprints.add(read.fingerprint);
    if (read.type !== undefined) types.add(read.type);
  }
  return { fingerprints, types };
}

/** Returns the fault of a value of `HOST_KEY`, or undefined. */
export function hostKeyFault(value: string): string | undefined {
  const lines = linesOf(value);
  if (lines.length === 0) return 'must have a key';
  if (lines.length > MAX_LINES) return `must have at most ${MAX_LINES} keys`;
  const faults = lines.map(readLine).filter((read) => typeof read === 'string');
  return faults[0];
}

function linesOf(value: string): string[] {
  const lines = value.split('\n').map((line) => line.trim());
  // ssh-keyscan writes comments between the keys.
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

interface PinnedKey {
  readonly fingerprint: string;
  readonly type?: string;
}

/** Returns the key of one line, or its fault. */
function readLine(line: string): PinnedKey | string {
  if (FINGERPRINT.test(line)) return { fingerprint: line.replace(/=$/, '') };
  if (line.startsWith('MD5:') || /^(?:[0-9a-f]{2}:){15}[0-9a-f]{2}$/i.test(line))
    return 'must not be an MD5 fingerprint, which can be forged: use SHA256';
  if (line.startsWith('@'))
    return 'must not have markers such as @cert-authority or @revoked, which are not supported';
  const words = line.split(/\s+/);
  // The first word of a known_hosts line has names of hosts. The key is that of this connection anyway.
  const at = KEY_TYPES.test(words[0] ?? '') ? 0 : 1;
  const [type = '', base64 = ''] = words.slice(at);
  if (!KEY_TYPES.test(type))
    return 'must have lines of known_hosts, public keys (ssh-ed25519, ecdsa-sha2-nistp256, -nistp384, -nistp521 or ssh-rsa) or fingerprints SHA256:…';
  const key = utils.parseKey(`${type} ${base64}`);
  if (key instanceof Error || key.type !== type) return `has a key ${type} that cannot be read`;
  const bytes = key.getPublicSSH();
  if (isTooShort(publicKeyBits(key))) return 'has an RSA key of less than 2048 bits';
  return { fingerprint: fingerprintOf(bytes), type };
}
