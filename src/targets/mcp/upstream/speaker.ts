import type {
  DiscoveredServer,
  McpUpstream,
  UpstreamError,
  UpstreamFault,
  UpstreamOptions,
} from './contract';
import type { HttpReply, HttpWay } from './http-way';

/** Sends requests to a server whose era is known. */
export interface Speaker extends McpUpstream {
  /** The server's description of itself; undefined if it was not requested yet. */
  readonly server: DiscoveredServer | undefined;
}

/** Options of every speaker. */
export interface SpeakerOptions extends UpstreamOptions {
  readonly way: HttpWay;
  /** Returns the id of the next request. Ids never repeat, even if the server's era changes. */
  readonly nextId: () => number;
  /** Aborts when the upstream is closed. Ends requests that no client sent, such as `initialize`. */
  readonly closing: AbortSignal;
}

/** Error: the server does not support the expected era or revision. The request did not run. */
export class EraMismatch extends Error {
  /**
   * @param fault the fault for the caller if no other era is found
   * @param error the error that the server sent, if it is an error of the modern era
   */
  constructor(
    readonly fault: UpstreamFault,
    readonly error?: UpstreamError,
  ) {
    super(fault.message);
  }
}

/** A request, and its reply after the headers have arrived. */
export interface SentRequest {
  readonly id: number;
  readonly reply: HttpReply;
}
