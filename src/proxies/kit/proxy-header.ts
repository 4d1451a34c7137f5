import { isIPv6 } from 'node:net';

/**
 * Reads headers of the PROXY protocol, version 2 (HAProxy, "The PROXY protocol", section 2.2). A load
 * balancer sends one before the bytes that it passes on, with the address of its client. The text headers
 * of version 1 are refused.
 */

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Size of the fixed part: the signature, version and command, family, and the length of the rest. */
export const PROXY_HEAD_BYTES = 16;
/**
 * Maximum length of the header after its fixed part. Addresses are at most 36 bytes. The data after the
 * addresses, such as client certificates and network ids, are ignored.
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

/** Content of the fixed part, which is the first 16 bytes of a PROXY header. */
export type ProxyHead =
  | { readonly kind: 'head'; readonly isLocal: boolean; readonly family: number; readonly rest: number }
  /** `why` is the reason why the bytes are not a usable header. */
  | { readonly kind: 'fault'; readonly why: string };

/** Reads the fixed part of a PROXY header. @param bytes exactly `PROXY_HEAD_BYTES` */
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
 * Returns the client's address; undefined for a connection of the load balancer itself, as for health checks.
 * @param rest the bytes after the first 16, with the length that the header announced
 */
export function clientOfProxy(
  { isLocal, family }: { isLocal: boolean; family: number },
  rest: Buffer,
): string | undefined {
  if (isLocal) return undefined;
  if (family === TCP_OVER_IPV4) return rest.subarray(0, 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => rest.readUInt16BE(index * 2).toString(16));
  const address = new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
  // An IPv4-mapped IPv6 address is returned as IPv4, because limits and the audit log use that form.
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === '' || !isIPv6(address)) return address;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 0xff, two >> 8, two & 0xff].join('.');
}

function fault(why: string): ProxyHead {
  return { kind: 'fault', why };
}
