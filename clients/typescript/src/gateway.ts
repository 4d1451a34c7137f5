import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { answered } from './answered.js';
import { type Credential, withCredential } from './credential.js';
import { type SessionMessage, type StreamOptions, messagesOf } from './event-stream.js';
import { GatewayFault } from './gateway-fault.js';
import { type ItemOf, type PageQuery, type PagedPath, eachOf } from './paging.js';
import { type Retries, withRetries } from './retries.js';
import type { components, paths } from './schema.js';
import { type SessionEntry, type SessionQuery, eachSession } from './session-list.js';

export interface GatewayOptions {
  /**
   * Address of the gateway, such as `https://gateway.example.com`; with the path of `API_URL`, if it has one.
   */
  readonly url: string;
  /** `API_PREFIX` of the gateway. Default: `/api`. */
  readonly apiPrefix?: string;
  /**
   * An access token, an API key, or a function that provides tokens. Default: none, for public operations.
   */
  readonly credential?: Credential;
  readonly retries?: Retries;
  /** Headers of every request, such as `User-Agent` (outside of browsers). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`, for example for proxies, own certificates and tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The REST API of a gateway. A failed request rejects with `GatewayFault`, and with no other error. */
export class Gateway {
  /**
   * All operations with their types: `gateway.api.GET('/connections')`. A refusal is thrown as
   * `GatewayFault`.
   */
  readonly api: Client<paths>;

  constructor({
    url,
    apiPrefix = '/api',
    credential,
    retries = {},
    headers = {},
    fetch: given,
  }: GatewayOptions) {
    const send = given ?? ((request: Request) => globalThis.fetch(request));
    this.api = createClient<paths>({
      baseUrl: `${url.replace(/\/+$/, '')}${apiPrefix}`,
      headers,
      // The API sends no redirects. A redirect to another host would receive the token.
      redirect: 'error',
      fetch: withRetries(retries, withCredential(credential, send)),
    });
    this.api.use(faults);
  }

  /**
   * Yields all items of a list with pages. Reads each page when it is needed. Items that are created or
   * deleted meanwhile may shift the pages.
   */
  each<Path extends PagedPath>(
    path: Path,
    query: PageQuery<Path> = {} as PageQuery<Path>,
  ): AsyncGenerator<ItemOf<Path>, void> {
    return eachOf<ItemOf<Path>>((page) =>
      answered(
        // The cast is needed, because the compiler cannot combine the types of the lists.
        this.api.GET(path as '/connections', { params: { query: { ...query, page } } }) as Promise<{
          data: { data: ItemOf<Path>[]; pages: components['schemas']['PageInfo'] };
          response: Response;
        }>,
      ),
    );
  }

  /** Yields all sessions that match, newest first, also beyond the API's limit for offsets. */
  sessions(query: SessionQuery = {}): AsyncGenerator<SessionEntry, void> {
    return eachSession((page) => answered(this.api.GET('/sessions', { params: { query: page } })), query);
  }

  /**
   * Yields the events of a session's recording, live until the session ends. After a lost connection, the
   * server-sent events continue at the same position.
   */
  events(sessionId: string, options: StreamOptions = {}): AsyncGenerator<SessionMessage, void> {
    return messagesOf(async (after, signal) => {
      const { response } = await this.api.GET('/sessions/{session_id}/stream', {
        params: {
          path: { session_id: sessionId },
          ...(after === undefined ? {} : { header: { 'Last-Event-ID': after } }),
        },
        headers: { Accept: 'text/event-stream' },
        parseAs: 'stream',
        signal,
      });
      return response;
    }, options);
  }
}

const faults: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw await GatewayFault.of(response);
  },
  onError: ({ error }) => GatewayFault.ofNetwork(error),
};
