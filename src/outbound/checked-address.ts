import { lookup } from 'node:dns/promises';
import { BlockList, type LookupFunction, isIP } from 'node:net';
import { Semaphore } from '../kernel/semaphore';

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

/** Whether it is an address, not a name, that the gateway does not go to unless it is allowed. */
export function isForbiddenAddress(host: string): boolean {
  const bare = bareHost(host);
  const family = isIP(bare);
  return family !== 0 && isForbidden({ address: bare, family: family === 6 ? 6 : 4 });
}

/** As sockets and allow-lists take it: an IPv6 address without its brackets. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/**
 * The addresses behind a host name, once all are known to be allowed. The caller connects to one of these very
 * addresses: a name that is asked for again may answer differently (DNS rebinding).
 * @throws ForbiddenAddress when any of them is forbidden and the host is not on the allow-list.
 */
export async function checkedAddresses(
  host: string,
  allowedHosts: readonly string[],
): Promise<[CheckedAddress, ...CheckedAddress[]]> {
  const bare = bareHost(host);
  const [first, ...others] = await found(bare);
  if (first === undefined) throw new Error('the host name has no address');
  if (!allowedHosts.includes(bare) && [first, ...others].some(isForbidden)) {
    throw new ForbiddenAddress(`the address of ${isIP(bare) ? 'the target' : 'its host'} is private`);
  }
  return [first, ...others];
}

/**
 * How a request of node:http or node:https reaches the checked addresses of a host and no other. Over a connection of
 * its own: one that is kept alive was checked against the list of whoever opened it.
 * @throws ForbiddenAddress as `checkedAddresses` does.
 */
export async function checkedWay(
  host: string,
  allowedHosts: readonly string[],
): Promise<{ lookup: LookupFunction; agent: false }> {
  const addresses = await checkedAddresses(host, allowedHosts);
  const [{ address, family }] = addresses;
  return {
    lookup: (_host, { all }, done) => (all ? done(null, addresses) : done(null, address, family)),
    agent: false,
  };
}

/**
 * A look-up keeps one of the four threads busy with which the journal is written, too, for as long as a silent name
 * server likes: so no more than two at once, and of those who ask for one name at the same time, only one does.
 */
const lookups = new Semaphore(2);
const underWay = new Map<string, Promise<CheckedAddress[]>>();

function found(host: string): Promise<CheckedAddress[]> {
  const known = underWay.get(host);
  if (known !== undefined) return known;
  const asked = lookups
    .run(() => lookup(host, { all: true }))
    .then((answers) =>
      answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const),
    )
    .finally(() => underWay.delete(host));
  underWay.set(host, asked);
  return asked;
}

function isForbidden({ address, family }: CheckedAddress): boolean {
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  return forbidden[kind].check(address, kind);
}
