import { isIP } from 'node:net';

/** Matches `Host` (RFC 9110, section 7.2): a name or address, with an optional port. No user or path. */
const HOST = /^(\[[\da-f:.]+\]|[^\s/?#@:\\[\]%]+)(?::\d{0,5})?$/i;

/**
 * Checks that a request was made to a host of this gateway. By DNS rebinding, a page of any origin can make a
 * browser send its requests to the gateway; `Host` then contains a name that the page's author controls.
 * Ports do not matter for this. Three kinds of host cannot be rebound: names of the gateway; IP addresses,
 * because no DNS is involved; and `localhost`, which no DNS server answers for.
 */
export class OwnHosts {
  private readonly names: ReadonlySet<string>;

  /** @param more further names, normalized as by the URL parser; see `MCP_OWN_HOSTS` */
  constructor(apiUrl: string, more: readonly string[]) {
    this.names = new Set([new URL(apiUrl).hostname, ...more].map(withoutRootDot));
  }

  /** @param host value of the `Host` header, with or without a port */
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
   * Whether all hosts that the request names are hosts of this gateway.
   * @param forwarded `X-Forwarded-Host`, if proxies are trusted. A proxy that replaces `Host` puts the
   * original host into this header. A page can send this header too, so both headers are checked.
   */
  areOf(host: string | undefined, forwarded: string | undefined): boolean {
    if (host === undefined || !this.has(host)) return false;
    return forwarded === undefined || forwarded.split(',').every((one) => this.has(one.trim()));
  }
}

/** Removes the last dot: `gateway.example.com.` is the same name as `gateway.example.com`. */
function withoutRootDot(name: string): string {
  return name.replace(/\.$/, '');
}
