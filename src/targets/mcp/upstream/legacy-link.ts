import type { JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { LegacyRevision } from '../protocol/revisions';
import type { RpcMessage } from '../protocol/rpc-messages';
import type { LegacyCall } from './legacy-call';

/** Receives the messages of a link, which connects to a legacy server. */
export interface LegacyReceiver {
  /** @param via the call whose response contained the message; undefined for a shared stream */
  receive(message: RpcMessage, via?: LegacyCall): MaybePromise<void>;
  /** Called when the session is over, after its last message. */
  lost(error: unknown): void;
  /** Called when no more messages outside of requests will arrive. */
  changesEnded(): void;
}

/** Transports messages to a legacy server and back. */
export interface LegacyLink {
  /**
   * Sends the request of a call. Resolves when the answer has arrived. If answers arrive on a shared stream,
   * resolves as soon as the server has accepted the request.
   * @throws UpstreamFault, SessionGone, EraMismatch
   */
  request(message: JsonObject, call: LegacyCall): Promise<void>;
  /** Sends a notification or an answer. @throws UpstreamFault, SessionGone */
  send(message: JsonObject, signal: AbortSignal): Promise<void>;
  /** Whether the server keeps a session, by which it recognizes its client in later requests. */
  readonly hasSession: boolean;
  /** Stores the negotiated revision of the session, if later requests must name it. */
  negotiated(revision: LegacyRevision): void;
  /** Opens the stream for messages that belong to no request. Resolves with whether the server has one. */
  listen(): Promise<boolean>;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

/** Error: the server does not know the session, or no longer knows it. It did not handle the request. */
export class SessionGone extends Error {
  constructor() {
    super('the MCP server has ended the session');
  }
}
