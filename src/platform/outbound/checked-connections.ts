import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { ForbiddenAddress, bareHost, checkedAddresses, isForbiddenAddress } from './checked-address';

/**
 * A connection that nobody uses is closed after this, or before the time that
 * the server announces in `Keep-Alive`.
 */
const IDLE_MS = 30_000;
/**
 * Idle connections of one holder: as many as it has requests at a time, or every answer closes a connection
 * that the next request opens anew.
 */
const IDLE_CONNECTIONS = 64;

/**
 * Connections that are kept for further requests of one holder, each to an address that was checked when it
 * was opened. Nobody else shares them: what one allow-list permits is out of reach for another. A name is
 * looked up for each new connection and checked anew, and the connection goes to what was checked, so that an
 * answer that changes later (DNS rebinding) opens no way to a private address.
 */
export class CheckedConnections {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;
  /** The host that was found to be allowed last: most holders have but one. */
  private admitted: string | undefined;

  constructor(private readonly allowedHosts: readonly string[]) {
    // Options of an agent win over those of a request: no request can bring a look-up of its own.
    const options = {
      keepAlive: true,
      maxFreeSockets: IDLE_CONNECTIONS,
      timeout: IDLE_MS,
      lookup: this.lookup,
    };
    this.http = new HttpAgent(options);
    this.https = new HttpsAgent(options);
  }

  /**
   * The agent for a request to this URL. A name is checked when the connection is
   * opened: the request then fails with `ForbiddenAddress`.
   * @throws ForbiddenAddress when the URL names a private address that is not on
   * the allow-list; no look-up happens for those
   */
  agentFor(url: URL): HttpAgent | HttpsAgent {
    if (url.hostname !== this.admitted) {
      const host = bareHost(url.hostname);
      if (isIP(host) !== 0 && isForbiddenAddress(host) && !this.allowedHosts.includes(host))
        throw new ForbiddenAddress('the address of the target is private');
      this.admitted = url.hostname;
    }
    return url.protocol === 'https:' ? this.https : this.http;
  }

  /** Closes all connections, also those in use. */
  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private readonly lookup: LookupFunction = (host, { all }, done) => {
    void this.lookUp(host, all === true, done).catch((error: Error) => done(error, []));
  };

  private async lookUp(host: string, isForAll: boolean, done: Parameters<LookupFunction>[2]): Promise<void> {
    const addresses = await checkedAddresses(host, this.allowedHosts);
    const [{ address, family }] = addresses;
    // In a turn of its own: what the callback throws is no fault of the look-up.
    setImmediate(() => (isForAll ? done(null, addresses) : done(null, address, family)));
  }
}
