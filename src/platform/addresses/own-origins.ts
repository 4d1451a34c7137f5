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
 * The origins at which MCP clients know this gateway, so that it describes itself there, and issues tokens
 * for its endpoints there. Tokens are bearer tokens: an origin that another program may have is none. That is
 * why an address that no setting names is none, although requests to it are answered, and why another port of
 * a named host is none.
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
    // One program of this machine listens on the port, whichever name of the machine is used.
    if (LOOPBACK.has(own.hostname) && LOOPBACK.has(url.hostname))
      return url.protocol === own.protocol && url.port === own.port;
    return this.hosts.has(comparable(url.hostname)) && this.ports.has(url.port);
  }

  /**
   * `API_URL` with the origin at which a request came in place of its own, if
   * that is one of the gateway; otherwise `API_URL`.
   * @param host with its port, as in `Host`
   */
  urlAt(protocol: string, host: string | undefined): string {
    const { url: own } = this;
    const path = own.pathname.replace(/\/$/, '');
    const asked = `${protocol}://${host ?? ''}`;
    const isOwn = URL.canParse(asked) && /^[^\s/?#@\\]+$/.test(host ?? '') && this.has(new URL(asked));
    return `${isOwn ? new URL(asked).origin : own.origin}${path}`;
  }
}

/** Without brackets, and without the dot of the root. */
function comparable(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
