import { isIPv6 } from 'node:net';

/**
 * Headers of the PROXY protocol, version 2 (HAProxy, "The PROXY protocol", section 2.2):
 * a load balancer that passes bytes on sends one in front of them, with the address of
 * its client. Version 1, a line of text, is not read.
 */

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** The signature, version and command, family, and the length of the rest. */
export const PROXY_HEAD_BYTES = 16;
/**
 * Addresses take 36 bytes at most. What follows them is not read: certificates of clients, ids of networks.
 */
const LONGEST_REST = 4_096;

const VERSION_2 = 0x20;
const LOCAL = 0x20;
const PROXY = 0x21;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;
const BYTES_OF_ADDRESSES: ReadonlyMap<number, number> = new Map([
  [TCP_OVER_IPV4, 12],
  [TCP_OVER_IPV6, 36],
]);

/** Content of the first 16 bytes. */
export type ProxyHead =
  | { readonly kind: 'head'; readonly isLocal: boolean; readonly family: number; readonly rest: number }
  /** Why they are no header that can be used. */
  | { readonly kind: 'fault'; readonly why: string };

/** @param bytes exactly `PROXY_HEAD_BYTES` */
export function readProxyHead(bytes: Buffer): ProxyHead {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    const isText = bytes.toString('latin1', 0, 6) === 'PROXY ';
    return fault(isText ? 'the header has version 1; only version 2 is read' : 'there is no header');
  }
  const command = bytes.readUInt8(12);
  const family = bytes.readUInt8(13);
  const rest = bytes.readUInt16BE(14);
  if ((command & 0xf0) !== VERSION_2) return fault('the header has another version than 2');
  if (command !== LOCAL && command !== PROXY) return fault('the header has an unknown command');
  if (rest > LONGEST_REST) return fault(`the header is longer than ${LONGEST_REST} bytes`);
  const isLocal = command === LOCAL;
  if (isLocal) return { kind: 'head', isLocal, family, rest };
  const least = BYTES_OF_ADDRESSES.get(family);
  if (least === undefined) return fault('the header names no client that came by TCP');
  if (rest < least) return fault('the header is too short for its addresses');
  return { kind: 'head', isLocal, family, rest };
}

/**
 * The address of the client; undefined where the load balancer speaks for itself, as in a health check.
 * @param rest as many bytes as the head announced
 */
export function clientOfProxy(
  { isLocal, family }: { isLocal: boolean; family: number },
  rest: Buffer,
): string | undefined {
  if (isLocal) return undefined;
  if (family === TCP_OVER_IPV4) return rest.subarray(0, 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => rest.readUInt16BE(index * 2).toString(16));
  const address = new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
  // A mapped address is the one that it stands for, as limits and audit name it.
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === '' || !isIPv6(address)) return address;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 0xff, two >> 8, two & 0xff].join('.');
}

function fault(why: string): ProxyHead {
  return { kind: 'fault', why };
}
