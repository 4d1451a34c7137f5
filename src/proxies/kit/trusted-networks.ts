import { BlockList, isIP } from 'node:net';

/**
 * A set of networks such as `10.0.0.0/8` and of single addresses. An IPv4-mapped IPv6 address matches the
 * IPv4 networks.
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
    // The zone (`fe80::1%eth0`) is not part of the address.
    const [bare = ''] = address.split('%');
    const version = isIP(bare);
    return version !== 0 && this.list.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  }
}
