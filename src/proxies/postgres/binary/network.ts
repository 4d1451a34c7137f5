import { type Cursor, malformedValue } from '../wire/cursor';

const IPV4 = 2;
const IPV6 = 3;

/** Prints inet and cidr. Source: PostgreSQL, network_send in network.c and inet_net_ntop.c. */
export function network(cursor: Cursor): string {
  const family = cursor.uint8();
  const bits = cursor.uint8();
  const isCidr = cursor.uint8() === 1;
  const bytes = cursor.takeBytes(cursor.uint8());
  if ((family !== IPV4 || bytes.length !== 4) && (family !== IPV6 || bytes.length !== 16))
    throw malformedValue();
  const address = family === IPV4 ? bytes.join('.') : ipv6(bytes);
  return !isCidr && bits === bytes.length * 8 ? address : `${address}/${bits}`;
}

/**
 * Prints an IPv6 address. Abbreviates the first of the longest runs of zero groups, but never a single zero.
 */
function ipv6(bytes: Buffer): string {
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2));
  let [base, length] = [-1, 1];
  for (let from = 0; from < 8; from += 1) {
    let to = from;
    while (to < 8 && words[to] === 0) to += 1;
    if (to - from > length) [base, length] = [from, to - from];
  }
  const hex = (list: readonly number[]): string => list.map((word) => word.toString(16)).join(':');
  if (base === -1) return hex(words);
  if (base === 0 && (length === 6 || (length === 5 && words[5] === 0xffff)))
    return `::${length === 5 ? 'ffff:' : ''}${bytes.subarray(12).join('.')}`;
  return `${hex(words.slice(0, base))}::${hex(words.slice(base + length))}`;
}

export function macAddress(cursor: Cursor): string {
  return cursor
    .takeRest()
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1:');
}
