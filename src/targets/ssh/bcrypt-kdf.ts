import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import bcrypt from 'bcrypt-pbkdf';

/** Bytes of one bcrypt hash. */
const HASH_BYTES = 32;

/**
 * Derives a key from a passphrase, as OpenSSH does for its private keys (bcrypt_pbkdf of OpenBSD). Each round
 * takes some 20 ms of processor time, with other work of the event loop in between: the package's own
 * function would block it for all rounds, which is more than a second for keys of today.
 */
export async function bcryptKey(
  passphrase: string,
  { salt, rounds, bytes }: { readonly salt: Buffer; readonly rounds: number; readonly bytes: number },
): Promise<Buffer> {
  const secret = sha512(Buffer.from(passphrase));
  const stride = Math.ceil(bytes / HASH_BYTES);
  const perBlock = Math.ceil(bytes / stride);
  const key = Buffer.alloc(bytes);
  for (let block = 0; block < stride; block += 1) {
    const counted = Buffer.concat([salt, Buffer.alloc(4)]);
    counted.writeUInt32BE(block + 1, salt.length);
    const mixed = await mixedRounds(secret, counted, rounds);
    // The bytes of all blocks are interleaved.
    for (let at = 0; at < perBlock && at * stride + block < bytes; at += 1)
      key[at * stride + block] = mixed[at] ?? 0;
  }
  return key;
}

async function mixedRounds(secret: Buffer, salt: Buffer, rounds: number): Promise<Buffer> {
  const mixed = Buffer.alloc(HASH_BYTES);
  let input = salt;
  for (let round = 0; round < rounds; round += 1) {
    const hash = Buffer.alloc(HASH_BYTES);
    bcrypt.hash(secret, sha512(input), hash);
    for (let at = 0; at < HASH_BYTES; at += 1) mixed[at] = (mixed[at] ?? 0) ^ (hash[at] ?? 0);
    input = hash;
    await turn();
  }
  return mixed;
}

function sha512(bytes: Buffer): Buffer {
  return createHash('sha512').update(bytes).digest();
}
