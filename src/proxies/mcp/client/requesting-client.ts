import type { Json, JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import type { SignedArrival } from '../http/arrival';
import type { ListWalk } from '../lists/list-walk';
import type { OfferedTool } from '../lists/tool-directory';
import type { UrlElicitation } from './url-elicitation';

/** Way to ask a client to open an address, for clients that can. */
export type ClientPages =
  /** 2026-07-28: by the answer. The client repeats its request when its person agreed. */
  | { readonly kind: 'by answer' }
  /** 2025-11-25: on the stream, while the answer is held. */
  | {
      readonly kind: 'on stream';
      /**
       * Resolves with whether the person agreed; undefined: the client did not answer, or the signal aborted.
       * Never rejects.
       */
      ask(elicitation: UrlElicitation, signal: AbortSignal): Promise<boolean | undefined>;
      /** Reports to the client that the task of the page is done. Never rejects. */
      complete(elicitation: UrlElicitation): Promise<void>;
    };

/** The page that an earlier answer to the same request named (`ClientAnswer`). The gateway sealed the id. */
export interface OpenedPage {
  /** See `UrlElicitation`. */
  readonly id: string;
  readonly isAgreed: boolean;
}

/** The client's side of one request. */
export interface RequestingClient {
  /** Sender of the request, and its address. */
  readonly arrival: SignedArrival;
  /** Aborts when the client does not want the answer any more. */
  readonly signal: AbortSignal;
  /** undefined: the client opens no addresses. */
  readonly pages?: ClientPages | undefined;
  readonly opened?: OpenedPage | undefined;
  /** The walk through a list that the request continues. */
  readonly walk?: ListWalk;
  /** Delivers a notification that belongs to the request. */
  notify(method: string, params: JsonObject): MaybePromise<void>;
  /** The answer waits for people: the client has to be kept waiting. */
  holding(reviewId: string): void;
  /** Whether the client's headers agree with the arguments of a call. Returns the fault. */
  disagreement?(tool: OfferedTool, args: Json): string | undefined;
  /** Why the client cannot give what the server asks of it; undefined: it can. */
  unable(asked: UpstreamAnswer & { readonly kind: 'input' }): RpcError | undefined;
}
