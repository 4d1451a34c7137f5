import { lookup } from 'node:dns/promises';
import { BlockList, type LookupFunction, isIP } from 'node:net';
import { Semaphore } from '../../kernel/async/semaphore';

/** Addresses to which callers must not direct the gateway: its own host, its network, metadata services. */
// A separate list for each family: in a common list, `::ffff:0:0/96` would match every IPv4 address.
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
  // The next seven ranges embed IPv4 addresses: mapped, translated, compatible, NAT64 (two), 6to4, Teredo.
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

/** Whether the host is an IP address that is forbidden unless an allow-list contains it. */
export function isForbiddenAddress(host: string): boolean {
  const bare = bareHost(host);
  const family = isIP(bare);
  return family !== 0 && isForbidden({ address: bare, family: family === 6 ? 6 : 4 });
}

/** The form used by sockets and allow-lists: an IPv6 address without brackets. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/**
 * Resolves a host name and checks that all its addresses are allowed. The caller must connect to one of these
 * addresses: another look-up may answer differently (DNS rebinding).
 * @throws ForbiddenAddress when any address is forbidden and the host is not on the allow-list.
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
 * Options that make a request of node:http or node:https connect only to the checked addresses of a host. The
 * request opens a new connection, because an existing one was checked against another caller's allow-list.
 * @throws ForbiddenAddress as `checkedAddresses` does.
 */
export async function checkedRequestOptions(
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
 * Limits look-ups to two in parallel. Until the name server answers, each look-up occupies one of the four
 * threads of Node.js, which also write the journal. Concurrent look-ups of one name share one result.
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
