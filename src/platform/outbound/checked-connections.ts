import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { ForbiddenAddress, bareHost, checkedAddresses, isForbiddenAddress } from './checked-address';

/**
 * Time after which an idle connection is closed. It is closed earlier if the server announces a shorter time
 * in `Keep-Alive`.
 */
const IDLE_MS = 30_000;
/**
 * Maximum number of idle connections in one `CheckedConnections`. Must cover the parallel requests of its
 * holder, because otherwise connections would be closed and opened again for each request.
 */
const IDLE_CONNECTIONS = 64;

/**
 * Kept-alive connections of one holder, which has its own allow-list. Holders share no connection, because
 * each connection was checked against one allow-list. Each new connection resolves and checks the host name
 * again and connects to the checked address. So a DNS answer that changes later (DNS rebinding) cannot lead
 * to a private address.
 */
export class CheckedConnections {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;
  /** The last host that was checked and allowed, remembered so that it is not checked for each request. */
  private admitted: string | undefined;

  constructor(private readonly allowedHosts: readonly string[]) {
    // Agent options override request options, so no request can replace the checked look-up.
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
   * Returns the agent for a request to this URL. A host name is checked only when its connection is opened; a
   * forbidden one makes the request fail with `ForbiddenAddress`.
   * @throws ForbiddenAddress when the host is a private address, not a name, and not on the allow-list
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
    // The callback runs outside this promise, so that its errors are not reported as errors of the look-up.
    setImmediate(() => (isForAll ? done(null, addresses) : done(null, address, family)));
  }
}
