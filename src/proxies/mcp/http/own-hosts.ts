import { isIP } from 'node:net';

/** `Host` (RFC 9110, section 7.2): a name or an address, and perhaps a port. No user, path, or blank. */
const HOST = /^(\[[\da-f:.]+\]|[^\s/?#@:\\[\]%]+)(?::\d{0,5})?$/i;

/**
 * Whether a request was made to a name of this gateway. A page of any origin can make a browser take the
 * gateway for a host of its own (DNS rebinding): the name in `Host` is then one that the page's author
 * controls. Ports do not matter for that. Nobody can rebind three kinds of host: the names of the gateway,
 * addresses (a page at an address was sent by that address), and `localhost`, which no DNS server answers
 * for.
 */
export class OwnHosts {
  private readonly names: ReadonlySet<string>;

  /** @param more further names, in the form of the URL parser; see `MCP_OWN_HOSTS` */
  constructor(apiUrl: string, more: readonly string[]) {
    this.names = new Set([new URL(apiUrl).hostname, ...more].map(withoutRootDot));
  }

  /** @param host the header, with or without a port */
  has(host: string): boolean {
    const written = HOST.exec(host)?.[1];
    if (written === undefined) return false;
    if (this.names.has(written)) return true;
    if (!URL.canParse(`http://${written}`)) return false;
    const name = withoutRootDot(new URL(`http://${written}`).hostname);
    return (
      this.names.has(name) ||
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
    );
  }

  /**
   * Whether all names by which the request came are own ones.
   * @param forwarded `X-Forwarded-Host`, where proxies are trusted: a proxy that replaces `Host` puts the
   * original there. A page can send this header too, so it never stands in for `Host`.
   */
  areOf(host: string | undefined, forwarded: string | undefined): boolean {
    if (host === undefined || !this.has(host)) return false;
    return forwarded === undefined || forwarded.split(',').every((one) => this.has(one.trim()));
  }
}

/** `gateway.example.com.` is the same name as `gateway.example.com`. */
function withoutRootDot(name: string): string {
  return name.replace(/\.$/, '');
}
