import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2';

/** Types of host keys that the gateway accepts, the best first. README.md has the reasons. */
export const HOST_KEY_ALGORITHMS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const satisfies readonly ServerHostKeyAlgorithm[];

/** Minimum length of RSA keys, of servers and of users. OpenSSH requires 1 024 by default, NIST 2 048. */
export const MIN_RSA_BITS = 2_048;

const EXCHANGES = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group14-sha256',
] as const;

const CIPHERS = [
  'aes256-gcm@openssh.com',
  'aes128-gcm@openssh.com',
  'aes256-ctr',
  'aes192-ctr',
  'aes128-ctr',
] as const;

const MACS = [
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512',
  'hmac-sha2-256',
] as const;

/**
 * Returns what the gateway offers to a server. Key types of pinned keys come first, because a server shows
 * only one of its keys: the first type that both sides know.
 * @param pinnedTypes types of public keys, such as `ssh-rsa`
 */
export function offeredAlgorithms(pinnedTypes: ReadonlySet<string>): Algorithms {
  const isPinned = (name: string): boolean => pinnedTypes.has(name.startsWith('rsa-') ? 'ssh-rsa' : name);
  const hostKeys = [
    ...HOST_KEY_ALGORITHMS.filter(isPinned),
    ...HOST_KEY_ALGORITHMS.filter((name) => !isPinned(name)),
  ];
  return {
    kex: [...EXCHANGES],
    serverHostKey: hostKeys,
    cipher: [...CIPHERS],
    hmac: [...MACS],
    // With compression, the length of a packet depends on secrets in it (CRIME).
    compress: ['none'],
  };
}
