import type {
  DiscoveredServer,
  McpUpstream,
  UpstreamError,
  UpstreamFault,
  UpstreamOptions,
} from './contract';
import type { HttpReply, HttpWay } from './http-way';

/** A way to a server whose era is known. */
export interface Speaker extends McpUpstream {
  /** The server's description when this way was opened; undefined where it was not asked. */
  readonly server: DiscoveredServer | undefined;
}

/** Options of every speaker. */
export interface SpeakerOptions extends UpstreamOptions {
  readonly way: HttpWay;
  /** Ids of our requests: none comes twice, whatever era the server turns out to have. */
  readonly nextId: () => number;
  /** Aborts when the way is closed: what a server is asked for nobody in particular ends then. */
  readonly closing: AbortSignal;
}

/** The server does not speak what was remembered of it; the request did not run. */
export class EraMismatch extends Error {
  /**
   * @param fault the fault for the caller if nothing else is found out
   * @param error the error of a modern server, if it was one
   */
  constructor(
    readonly fault: UpstreamFault,
    readonly error?: UpstreamError,
  ) {
    super(fault.message);
  }
}

/** A request that was answered with headers at least. */
export interface SentRequest {
  readonly id: number;
  readonly reply: HttpReply;
}
