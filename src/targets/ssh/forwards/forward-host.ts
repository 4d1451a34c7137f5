import { BlockList, isIP, isIPv6 } from 'node:net';

/** A label of a host name. Underscores are common in names of services. */
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, 'i');
const MAX_NAME = 253;

/** Names that mean the machine itself: RFC 6761, section 6.3, and those of /etc/hosts. */
const LOOPBACK_NAME = /^(?:(?:.*\.)?localhost|localhost\.localdomain|localhost[46](?:\.localdomain[46])?)$/;
const LOOPBACK_ALIAS = /^ip6-(?:localhost|loopback)$/;
/** Names of metadata services in clouds. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Both reach the machine itself: Linux connects the address of no host to it, too. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addSubnet('0.0.0.0', 8, 'ipv4');

/** Addresses that a server must never be asked for. Each family has a list, because of mapped addresses. */
const forbidden = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [net, prefix] of [
  // Link-local: most clouds, with 169.254.169.254. Then Azure, Alibaba and Oracle.
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
  // Multicast and broadcast.
  ['224.0.0.0', 3],
] as const)
  forbidden.ipv4.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  // AWS, also for pods of its Kubernetes, and Google.
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  // These embed IPv4 addresses: compatible, translated, NAT64 (two), 6to4, Teredo.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
] as const)
  forbidden.ipv6.addSubnet(net, prefix, 'ipv6');

/**
 * Returns a host in the only form in which it is judged, recorded and sent to the server: an IPv4 address as
 * four decimal numbers, an IPv6 address in the short form of RFC 5952 without brackets, or a name in small
 * letters without a dot at its end. Numbers that are octal, hexadecimal, or too few, and IPv4 addresses that
 * are mapped to IPv6, are read as C libraries read them (`inet_aton`; the URL standard has the same rules).
 * @returns undefined if the text is no host, or one that servers might read in different ways
 */
export function normalizedHost(text: string): string | undefined {
  const bare = /^\[.*\]$/s.test(text) ? text.slice(1, -1) : text;
  if (isIPv6(bare)) return bare.includes('%') ? undefined : shortIpv6(bare);
  if (bare !== text || text.length > MAX_NAME || !NAME.test(text)) return undefined;
  const url = `http://${text.replace(/\.$/, '')}/`;
  // Refuses a name whose last label is a number, unless all of it is an IPv4 address.
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function shortIpv6(address: string): string {
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? [];
  if (low === '') return short;
  const bytes = [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255]);
  return bytes.join('.');
}

/** Whether a normalized host is an IP address. */
export function isAddress(host: string): boolean {
  return isIP(host) !== 0;
}

/** Whether a normalized host is the server itself, whatever its name is. */
export function isServerItself(host: string): boolean {
  if (isIP(host) === 4) return loopback.check(host, 'ipv4');
  return host === '::1' || host === '::' || LOOPBACK_NAME.test(host) || LOOPBACK_ALIAS.test(host);
}

/** Whether no connection may allow a normalized host: metadata services, and addresses that are no hosts. */
export function isForbiddenHost(host: string): boolean {
  if (isServerItself(host)) return false;
  const family = isIP(host);
  if (family === 0) return METADATA_NAMES.has(host);
  return family === 4 ? forbidden.ipv4.check(host, 'ipv4') : forbidden.ipv6.check(host, 'ipv6');
}
