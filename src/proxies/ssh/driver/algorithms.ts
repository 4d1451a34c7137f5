import type { Algorithms } from 'ssh2';

/**
 * Algorithms that the gateway offers to SSH clients. README.md has the reasons. The driver
 * adds strict key exchange. Compression is left out: its lengths may reveal secrets, and it is one more
 * parser.
 */
export const SERVED_ALGORITHMS: Algorithms = {
  // The client's order decides. The first one here is no client's first: Dropbear sends the packet of its own
  // first one ahead, and waits for the answer if both sides have the same first one (RFC 4253, section 7).
  // The driver never answers such a packet.
  kex: [
    'ecdh-sha2-nistp521',
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes192-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512', 'hmac-sha2-256'],
  compress: ['none'],
};
