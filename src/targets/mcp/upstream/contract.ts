import type { Json, JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { McpEra } from '../protocol/revisions';

/** A request of a client, in the one form that the gateway has inside: that of the modern era. */
export interface UpstreamRequest {
  readonly method: string;
  /**
   * `_meta` without the protocol's own keys. A `progressToken` in it asks for progress, which is reported
   * with this token.
   */
  readonly params: JsonObject;
  /** Least severity of log messages (RFC 5424), or `UNSET_LOG_LEVEL`; without it there are none. */
  readonly logLevel?: string | undefined;
  /** W3C trace context, for a header of the request. */
  readonly traceparent?: string | undefined;
  /**
   * `Mcp-Param-*`: decoded values by the name that follows `Mcp-Param-`. Only modern servers are sent them.
   */
  readonly paramHeaders?: Readonly<Record<string, string>> | undefined;
  /** Continues an exchange that ended with `input`, with the same method and params. */
  readonly continuation?: Continuation | undefined;
}

export interface Continuation {
  /** The `state` of that answer, if it had one. */
  readonly state?: string | undefined;
  /**
   * Results by the key of their request. `{ error: { code, message } }` stands for a client that refused;
   * only legacy servers have a message for it.
   */
  readonly responses: JsonObject;
}

/** A request of the server to the client. */
export interface InputRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

export interface UpstreamError extends JsonObject {
  code: number;
  message: string;
}

/** `result` is as the server sent it: legacy results have no `resultType`. */
export type UpstreamAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: UpstreamError }
  | {
      readonly kind: 'input';
      readonly requests: Readonly<Record<string, InputRequest>>;
      readonly state?: string;
    };

export interface ExchangeOptions {
  /**
   * Cancels the request at the server. For a continuation it may be aborted already: that cancels what waits.
   */
  readonly signal: AbortSignal;
  /** Awaited before more is read: back-pressure. What it throws ends the exchange. */
  notify(method: string, params: JsonObject): MaybePromise<void>;
}

export interface SubscriptionFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** Resources whose updates are sent. */
  readonly uris?: readonly string[];
}

export interface SubscriptionOptions {
  readonly signal: AbortSignal;
  /**
   * Given for legacy clients, which also get what a legacy server sends outside of requests and their
   * subscriptions: log messages of this severity (as in `UpstreamRequest`), and completed elicitations.
   */
  readonly logLevel?: (() => string) | undefined;
  notify(method: string, params: JsonObject): MaybePromise<void>;
  /**
   * The server ended the subscription, or the way to it broke. Called at most
   * once, and not after `signal` aborted.
   */
  ended(): void;
}

export interface DiscoveredServer {
  readonly era: McpEra;
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
}

/** A way to one MCP server, for one client. Ids of requests are its own. */
export interface McpUpstream {
  /** @throws UpstreamFault */
  discover(signal?: AbortSignal): Promise<DiscoveredServer>;
  /** @throws UpstreamFault, and what `notify` throws */
  exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer>;
  /**
   * Resolves with the notices that the server agreed to send, once it sends them: an empty filter for a
   * server that sends none.
   * @throws UpstreamFault
   */
  subscribe(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter>;
  /**
   * Notifies a legacy server that the roots of the client changed, if the client declared such notices.
   * Modern servers ask with each request that needs them. A notice that does not arrive is no fault: never
   * rejects.
   */
  rootsChanged(): Promise<void>;
  /** Ends everything that is open, and the session at a legacy server. Never rejects. */
  close(): Promise<void>;
}

/** Era of a server at the last request. */
export interface RememberedEra {
  readonly era: McpEra;
  readonly revision: string;
  readonly at: Date;
}

export interface UpstreamClient {
  /** Description of the client for the server. */
  readonly info: JsonObject;
  /** Requests that the server may send to it. */
  readonly capabilities: JsonObject;
  /** Era of the client itself; without it, the modern era. */
  readonly era?: McpEra | undefined;
}

export interface UpstreamOptions {
  readonly url: URL;
  /** `auto` tries streamable HTTP and then HTTP+SSE. */
  readonly transport: 'streamable-http' | 'sse' | 'auto';
  /**
   * Credentials and other headers of the connection, asked for each request. They never go to another origin.
   */
  headers(): MaybePromise<Readonly<Record<string, string>>>;
  /**
   * The server answered 401 to a request with these headers, so it did not handle it. Returns whether there
   * are others now: then the request is sent once more.
   */
  refused?(headers: Readonly<Record<string, string>>): MaybePromise<boolean>;
  readonly allowedHosts: readonly string[];
  readonly client: UpstreamClient;
  /** Largest message of the server, decompressed. */
  readonly maxMessageBytes: number;
  /**
   * Longest time without a message of the server during an exchange. Comments of a stream are no messages.
   */
  readonly timeoutMs: number;
  /** Saves a request; asked again when it is a day old, or wrong. */
  readonly era?: RememberedEra | undefined;
  /** Called each time the era of the server was detected. */
  remember(era: McpEra, revision: string): void;
}

/**
 * Whether the request may have run: it may have with `lost`, `malformed`, `too_large` and `cancelled`. It did
 * not run with the other reasons.
 */
export type UpstreamFaultReason =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'too_large'
  | 'cancelled'
  | 'needs_reauth'
  | 'lost';

/**
 * The message is one or two plain sentences for the caller, with nothing of
 * the server's text and no secret in it.
 */
export class UpstreamFault extends Error {
  /** The message without the sentence that is added when it is not known whether the request ran. */
  readonly what: string;
  /** `WWW-Authenticate` of a 401 or 403: for who gets a new credential. Not to be shown. */
  readonly challenge: string | undefined;

  constructor(
    readonly reason: UpstreamFaultReason,
    what: string,
    options: { readonly cause?: unknown; readonly challenge?: string | undefined } = {},
  ) {
    super(
      reason === 'lost' ? `${what} Whether the request ran is not known.` : what,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'UpstreamFault';
    this.what = what;
    this.challenge = options.challenge;
  }
}

/** Whether a value is an error that a client gave instead of a result; see `Continuation`. */
export function isRefusedInput(response: Json | undefined): response is { error: UpstreamError } {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return false;
  const { error } = response as JsonObject;
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return false;
  const { code, message } = error as JsonObject;
  return Object.keys(response).length === 1 && Number.isInteger(code) && typeof message === 'string';
}
