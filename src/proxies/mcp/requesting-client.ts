import type { Json, JsonObject } from '../../kernel/json/json';
import type { MaybePromise } from '../../kernel/maybe-promise';
import type { SignedArrival } from './arrival';
import type { OfferedTool } from './tool-directory';

/** The client's side of one request. */
export interface RequestingClient {
  /** Who sent the request, and from where. */
  readonly arrival: SignedArrival;
  /** Aborts when the client does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Delivers a notification that belongs to the request. */
  notify(method: string, params: JsonObject): MaybePromise<void>;
  /** The answer waits for people: the client has to be kept waiting. */
  holding(reviewId: string): void;
  /** Whether the client's headers agree with the arguments of a call. Returns the fault. */
  disagreement?(tool: OfferedTool, args: Json): string | undefined;
}
