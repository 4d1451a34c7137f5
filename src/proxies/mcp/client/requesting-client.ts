import type { Json, JsonObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { RpcError } from '../../../targets/mcp/protocol/rpc-messages';
import type { UpstreamAnswer } from '../../../targets/mcp/upstream';
import type { SignedArrival } from '../http/arrival';
import type { ListWalk } from '../lists/list-walk';
import type { OfferedTool } from '../lists/tool-directory';
import type { UrlElicitation } from './url-elicitation';

/** The way in which the gateway asks a client to open a URL; only for clients that can open URLs. */
export type ClientPages =
  /** 2026-07-28: the answer contains the address. The client repeats its request after the person agreed. */
  | { readonly kind: 'by answer' }
  /** 2025-11-25: the gateway sends a request to the client on the stream and holds the answer meanwhile. */
  | {
      readonly kind: 'on stream';
      /**
       * Asks the client to open the page. Resolves with whether the person agreed; undefined if the client
       * did not answer or the signal aborted. Never rejects.
       */
      ask(elicitation: UrlElicitation, signal: AbortSignal): Promise<boolean | undefined>;
      /** Notifies the client that the page's task is done. Never rejects. */
      complete(elicitation: UrlElicitation): Promise<void>;
    };

/**
 * A page that the gateway asked the client to open in its earlier answer to the same request
 * (`ClientAnswer`). The client has sent back the id of the page, which the gateway had sealed.
 */
export interface OpenedPage {
  /** Id of the page; see `UrlElicitation`. */
  readonly id: string;
  readonly isAgreed: boolean;
}

/** The client's side of one request. */
export interface RequestingClient {
  /** The sender of the request, and its network address. */
  readonly arrival: SignedArrival;
  /** Aborts when the client no longer wants the answer. */
  readonly signal: AbortSignal;
  /** The way to ask the client to open a page; undefined for a client that cannot open URLs. */
  readonly pages?: ClientPages | undefined;
  readonly opened?: OpenedPage | undefined;
  /** The list pages that the client has read before; set if this request reads the next page of a list. */
  readonly walk?: ListWalk;
  /** Delivers a notification that belongs to the request. */
  notify(method: string, params: JsonObject): MaybePromise<void>;
  /** Called when the answer is held for a review, so that the client's connection can be kept open. */
  holding(reviewId: string): void;
  /**
   * Compares the client's headers with the arguments of a call. Returns the fault; undefined if they agree.
   */
  disagreement?(tool: OfferedTool, args: Json): string | undefined;
  /** Returns the reason if the client cannot give the input that the server requests; undefined if it can. */
  unable(asked: UpstreamAnswer & { readonly kind: 'input' }): RpcError | undefined;
}
