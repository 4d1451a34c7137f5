/**
 * Ed25519 keys of a small order, without the bit of the sign: 0, 1, two points of order 8, p − 1, p, p + 1.
 * A signature that anybody can make is valid for such a key: Node.js 24 refuses it, Node.js 20 does not. The
 * list is the one of libsodium (`ge25519_has_small_order`).
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** Whether anybody could sign with this Ed25519 key. @param point 32 bytes */
export function isForgeable(point: Buffer): boolean {
  const unsigned = Buffer.from(point);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return SMALL_ORDER.has(unsigned.toString('hex'));
}
