import type { Json, JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { McpEra } from '../protocol/revisions';

/** A request of a client in the gateway's internal form, which is the form of the modern era. */
export interface UpstreamRequest {
  readonly method: string;
  /**
   * Params of the request. Their `_meta` has none of the protocol's own keys. A `progressToken` in `_meta`
   * requests progress, which is reported with this token.
   */
  readonly params: JsonObject;
  /** Minimum severity of log messages (RFC 5424), or `UNSET_LOG_LEVEL`; undefined for no log messages. */
  readonly logLevel?: string | undefined;
  /** W3C trace context, for a header of the request. */
  readonly traceparent?: string | undefined;
  /**
   * Decoded values of the headers `Mcp-Param-*`, by the name after `Mcp-Param-`. Sent only to modern servers.
   */
  readonly paramHeaders?: Readonly<Record<string, string>> | undefined;
  /** Continues an exchange that ended with `input`. Requires the method and params of that exchange. */
  readonly continuation?: Continuation | undefined;
}

export interface Continuation {
  /** The `state` from the answer of kind `input`, if it had one. */
  readonly state?: string | undefined;
  /**
   * Results by the key of the server's request. `{ error: { code, message } }` stands for a refusal by the
   * client. Only the legacy protocol can express a refusal.
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

/** Answer of a server. `result` is unchanged, so a legacy result has no `resultType`. */
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
   * Cancels the request at the server. For a continuation, a signal that is already aborted cancels the call
   * that waits for input.
   */
  readonly signal: AbortSignal;
  /**
   * Delivers a notification. Reading pauses until this resolves (back-pressure). A failure ends the exchange.
   */
  notify(method: string, params: JsonObject): MaybePromise<void>;
}

export interface SubscriptionFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** URIs of the resources whose updates are sent. */
  readonly uris?: readonly string[];
}

export interface SubscriptionOptions {
  readonly signal: AbortSignal;
  /**
   * Returns the minimum severity of log messages (as in `UpstreamRequest`). Set for legacy clients only. Only
   * they receive log messages and completed elicitations that a legacy server sends outside of requests and
   * subscriptions.
   */
  readonly logLevel?: (() => string) | undefined;
  notify(method: string, params: JsonObject): MaybePromise<void>;
  /**
   * Called when the server ended the subscription, or the connection for it broke. Called at most once, and
   * not after `signal` aborted.
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

/** Sends the requests of one client to one MCP server, with request ids of its own. */
export interface McpUpstream {
  /** @throws UpstreamFault */
  discover(signal?: AbortSignal): Promise<DiscoveredServer>;
  /** @throws UpstreamFault, or an error of `notify` */
  exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer>;
  /**
   * Resolves when the server begins to send notices, with the part of the filter to which it agreed. The part
   * is empty for a server that sends no notices.
   * @throws UpstreamFault
   */
  subscribe(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter>;
  /**
   * Notifies a legacy server that the roots of the client changed, if the client declared such notices. A
   * modern server needs no notice, because it requests the roots during each request that needs them. Never
   * rejects, because a lost notice is no fault.
   */
  rootsChanged(): Promise<void>;
  /** Ends all requests and subscriptions, and the session at a legacy server. Never rejects. */
  close(): Promise<void>;
}

/** Era and revision that were detected for a server, and the time of the detection. */
export interface RememberedEra {
  readonly era: McpEra;
  readonly revision: string;
  readonly at: Date;
}

export interface UpstreamClient {
  /** Description of the client for the server. */
  readonly info: JsonObject;
  /** Capabilities of the client. They decide which requests the server may send to it. */
  readonly capabilities: JsonObject;
  /** Era of the client. Default: the modern era. */
  readonly era?: McpEra | undefined;
}

export interface UpstreamOptions {
  readonly url: URL;
  /** `auto` tries streamable HTTP and then HTTP+SSE. */
  readonly transport: 'streamable-http' | 'sse' | 'auto';
  /**
   * Returns the credentials and other headers of the connection. Called for each request. The headers are
   * never sent to another origin.
   */
  headers(): MaybePromise<Readonly<Record<string, string>>>;
  /**
   * Called when the server answered 401 to a request with these headers. Returns whether `headers` has a new
   * credential. The request is then sent once more, because the server did not handle it.
   */
  refused?(headers: Readonly<Record<string, string>>): MaybePromise<boolean>;
  readonly allowedHosts: readonly string[];
  readonly client: UpstreamClient;
  /** Maximum size of a message of the server, decompressed. */
  readonly maxMessageBytes: number;
  /**
   * Maximum time between two messages of the server during an exchange. Comments in a stream do not count as
   * messages.
   */
  readonly timeoutMs: number;
  /** Era from an earlier detection, to save a request. The era is detected again after a day, or if wrong. */
  readonly era?: RememberedEra | undefined;
  /** Called each time the era of the server was detected. */
  remember(era: McpEra, revision: string): void;
}

/**
 * Reason of a fault. `internal`: the gateway itself failed; `cause` has its error (`behindFault`). With
 * `lost`, `malformed`, `too_large` and `cancelled`, the request may have run; see
 * `UpstreamFault.mayHaveRun`. With the other reasons, it did not run.
 */
export type UpstreamFaultReason =
  | 'unreachable'
  | 'refused'
  | 'malformed'
  | 'too_large'
  | 'cancelled'
  | 'needs_reauth'
  | 'internal'
  | 'lost';

const MAY_HAVE_RUN: ReadonlySet<UpstreamFaultReason> = new Set([
  'lost',
  'malformed',
  'too_large',
  'cancelled',
]);

/** Sentence in the answer to a request that was sent, and whose outcome the gateway does not know. */
export const RUN_UNKNOWN = 'Whether the request ran is not known.';

/** Options of `UpstreamFault`. */
interface FaultOptions {
  readonly cause?: unknown;
  readonly challenge?: string | undefined;
  /** Whether the request was sent. By default, the reason of the fault decides. */
  readonly isSent?: boolean;
  /** Whether the server answered with an error of JSON-RPC that is about the content of the request. */
  readonly isAnswer?: boolean;
}

/**
 * A fault of a request to an MCP server. The message is one or two plain sentences for the caller, without a
 * secret. The only texts of the server in it are a media type and the target of a redirect.
 */
export class UpstreamFault extends Error {
  /** The message without `RUN_UNKNOWN`, which `lost` adds. */
  readonly what: string;
  /** Header `WWW-Authenticate` of a 401 or 403, for code that obtains a new credential. Must not be shown. */
  readonly challenge: string | undefined;
  /** Whether the server may have run the request. */
  readonly mayHaveRun: boolean;
  /** Whether the server read the request and refused it, so that a repetition would be refused as well. */
  readonly isAnswer: boolean;

  constructor(
    readonly reason: UpstreamFaultReason,
    what: string,
    options: FaultOptions = {},
  ) {
    super(
      reason === 'lost' ? `${what} ${RUN_UNKNOWN}` : what,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'UpstreamFault';
    this.what = what;
    this.challenge = options.challenge;
    this.mayHaveRun = options.isSent ?? MAY_HAVE_RUN.has(reason);
    this.isAnswer = options.isAnswer === true;
  }
}

/** Returns the error of the gateway itself behind a fault `internal`, and each other error unchanged. */
export function behindFault(error: unknown): unknown {
  return error instanceof UpstreamFault && error.reason === 'internal' ? error.cause : error;
}

/** Whether a value is an error that a client gave instead of a result; see `Continuation`. */
export function isRefusedInput(response: Json | undefined): response is { error: UpstreamError } {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return false;
  const { error } = response as JsonObject;
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return false;
  const { code, message } = error as JsonObject;
  return Object.keys(response).length === 1 && Number.isInteger(code) && typeof message === 'string';
}
