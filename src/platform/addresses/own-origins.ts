const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Addresses at which clients reach this gateway. */
export interface OwnAddress {
  /** `API_URL` */
  readonly apiUrl: string;
  /** `PORT` */
  readonly port: number;
  /** `MCP_OWN_HOSTS`, in the form of the URL parser, without brackets. */
  readonly ownHosts: readonly string[];
}

/**
 * The origins that MCP clients use for this gateway. The gateway publishes metadata and issues bearer tokens
 * for these origins, so an origin must be excluded if it may belong to another program. Therefore an origin
 * that no setting names is excluded, although requests to it are answered. Other ports of a named host are
 * excluded too.
 */
export class OwnOrigins {
  private readonly url: URL;
  private readonly hosts: ReadonlySet<string>;
  private readonly ports: ReadonlySet<string>;

  constructor({ apiUrl, port, ownHosts }: OwnAddress) {
    this.url = new URL(apiUrl);
    this.hosts = new Set(ownHosts.map(comparable));
    this.ports = new Set(['', this.url.port, String(port)]);
  }

  has(url: URL): boolean {
    const { url: own } = this;
    if (url.origin === own.origin) return true;
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
    // All loopback names lead to this gateway, because only one program of a machine listens on a port.
    if (LOOPBACK.has(own.hostname) && LOOPBACK.has(url.hostname))
      return url.protocol === own.protocol && url.port === own.port;
    return this.hosts.has(comparable(url.hostname)) && this.ports.has(url.port);
  }

  /**
   * Returns `API_URL`, but with the origin of the request if this origin belongs to the gateway.
   * @param host with its port, as in the header `Host`
   */
  urlAt(protocol: string, host: string | undefined): string {
    const { url: own } = this;
    const path = own.pathname.replace(/\/$/, '');
    const asked = `${protocol}://${host ?? ''}`;
    const isOwn = URL.canParse(asked) && /^[^\s/?#@\\]+$/.test(host ?? '') && this.has(new URL(asked));
    return `${isOwn ? new URL(asked).origin : own.origin}${path}`;
  }
}

/** Removes the brackets of an IPv6 address and a trailing dot, so that hosts can be compared. */
function comparable(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
