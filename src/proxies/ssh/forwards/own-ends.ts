import { networkInterfaces } from 'node:os';
import type { Settings } from '../../../platform/config/settings';
import type { ForwardEnd } from '../../../targets/ssh/forwards/forward-end';
import { isServerItself, normalizedHost } from '../../../targets/ssh/forwards/forward-host';

type OwnSettings = Pick<Settings, 'http' | 'metrics' | 'postgresProxy' | 'sshProxy'>;

/** Ports of this gateway, to which no stream is forwarded: it would record its own answers. */
export class OwnEnds {
  private readonly hosts: ReadonlySet<string>;
  private readonly ports: ReadonlySet<number>;

  constructor({ http, metrics, postgresProxy, sshProxy }: OwnSettings) {
    const url = new URL(http.apiUrl);
    const hosts = [url.hostname, postgresProxy.host ?? '', sshProxy.host ?? ''].map(normalizedHost);
    this.hosts = new Set(hosts.filter((host) => host !== undefined));
    const shown = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    this.ports = new Set([http.port, shown, metrics.port ?? 0, postgresProxy.port, sshProxy.port]);
  }

  /**
   * Whether an end is one of this gateway: by its public name, or by an address of this machine.
   * @param serverAddress the dialed address of the server. If it is one of this machine, loopback is, too.
   */
  has(end: ForwardEnd, serverAddress: string): boolean {
    if (end.kind !== 'tcp' || !this.ports.has(end.port)) return false;
    if (!isServerItself(end.host)) return this.hosts.has(end.host) || ownAddresses().has(end.host);
    const server = normalizedHost(serverAddress);
    return server !== undefined && (isServerItself(server) || ownAddresses().has(server));
  }
}

function ownAddresses(): Set<string | undefined> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => normalizedHost(address)));
}
