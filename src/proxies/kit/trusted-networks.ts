import { BlockList, isIP } from 'node:net';

/**
 * Networks such as `10.0.0.0/8`, and single addresses. IPv4 addresses in their
 * IPv6-mapped form belong to the networks of IPv4.
 */
export class TrustedNetworks {
  private readonly list = new BlockList();

  constructor(private readonly networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (prefix === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(prefix), family);
    }
  }

  get isEmpty(): boolean {
    return this.networks.length === 0;
  }

  has(address: string | undefined): boolean {
    if (address === undefined || this.isEmpty) return false;
    // A zone (`fe80::1%eth0`) is no part of the address.
    const [bare = ''] = address.split('%');
    const version = isIP(bare);
    return version !== 0 && this.list.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  }
}
