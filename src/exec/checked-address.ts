import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Addresses that the gateway does not go to because a caller names them: its own host, its network, metadata. */
// A list of its own for each family: in one list, `::ffff:0:0/96` would hold every IPv4 address.
const forbidden = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  forbidden.ipv4.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 128],
  ['::1', 128],
  // Each of these carries an IPv4 address inside: mapped, translated, compatible, NAT64, 6to4, Teredo.
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  forbidden.ipv6.addSubnet(net, prefix, 'ipv6');
}

export class ForbiddenAddress extends Error {}

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The address behind a host name, once it is known to be allowed. The caller connects to this very address:
 * a name that is asked for again may answer differently (DNS rebinding).
 * @throws ForbiddenAddress when any of its addresses is forbidden and the host is not on the allow-list.
 */
export async function checkedAddress(host: string, allowedHosts: readonly string[]): Promise<CheckedAddress> {
  const bare = host.replace(/^\[|\]$/g, '');
  const found = await lookup(bare, { all: true });
  const isAllowed = allowedHosts.includes(bare);
  for (const { address, family } of found) {
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    if (!isAllowed && forbidden[kind].check(address, kind)) {
      throw new ForbiddenAddress(`the address of ${isIP(bare) ? 'the target' : 'its host'} is private`);
    }
  }
  const [first] = found;
  if (first === undefined) throw new Error('the host name has no address');
  return { address: first.address, family: first.family === 6 ? 6 : 4 };
}
