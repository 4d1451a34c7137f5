import type { JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { LegacyRevision } from '../protocol/revisions';
import type { RpcMessage } from '../protocol/rpc-messages';
import type { LegacyCall } from './legacy-call';

/** Receiver of the messages of a link. */
export interface LegacyReceiver {
  /** @param via the call whose own answer brought it; undefined for a stream that all share */
  receive(message: RpcMessage, via?: LegacyCall): MaybePromise<void>;
  /** No more messages come: the session is over. */
  lost(error: unknown): void;
  /** No more messages come that belong to no request. */
  changesEnded(): void;
}

/** Way of the messages to a legacy server and back. */
export interface LegacyLink {
  /**
   * Sends the request of a call. Resolves when its answer was received, or
   * will come on a stream that all share.
   * @throws UpstreamFault, SessionGone, EraMismatch
   */
  request(message: JsonObject, call: LegacyCall): Promise<void>;
  /** Sends a notification or an answer. @throws UpstreamFault, SessionGone */
  send(message: JsonObject, signal: AbortSignal): Promise<void>;
  /** Whether the server knows its client again. */
  readonly hasSession: boolean;
  /** From now on the session has a revision. */
  negotiated(revision: LegacyRevision): void;
  /** Opens the stream for messages that belong to no request. Resolves with whether the server has one. */
  listen(): Promise<boolean>;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

/** The server does not know the session (any more): it did not read the request. */
export class SessionGone extends Error {
  constructor() {
    super('the MCP server has ended the session');
  }
}
