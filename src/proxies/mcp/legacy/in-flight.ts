import { type RpcId, idKey } from '../../../targets/mcp/protocol/rpc-messages';

/** A client's request that is not answered yet. */
export interface Flight {
  /** Aborts when the client no longer wants the answer or the session is over. */
  readonly signal: AbortSignal;
  /** Whether the client cancelled the request or left. No answer is sent then. */
  readonly isUnwanted: boolean;
  /** Marks the request as answered. */
  end(): void;
}

/** The requests of a legacy session that are not answered yet, by their ids. */
export class RequestsInFlight {
  private readonly open = new Map<string, { readonly cancel: AbortController; isUnwanted: boolean }>();

  has(id: RpcId): boolean {
    return this.open.has(idKey(id));
  }

  begin(id: RpcId): Flight {
    const key = idKey(id);
    const request = { cancel: new AbortController(), isUnwanted: false };
    this.open.set(key, request);
    return {
      signal: request.cancel.signal,
      get isUnwanted() {
        return request.isUnwanted;
      },
      end: () => void this.open.delete(key),
    };
  }

  /** Aborts a request that the client cancelled. */
  cancel(id: RpcId): void {
    const request = this.open.get(idKey(id));
    if (request === undefined) return;
    request.isUnwanted = true;
    request.cancel.abort();
  }

  /** Suppresses all answers, because the client leaves, and some SDKs fail when an answer comes later. */
  leave(): void {
    for (const request of this.open.values()) request.isUnwanted = true;
  }

  /**
   * Aborts all requests, because the session is over. Each request still gets an answer, unless its client no
   * longer wants one.
   */
  abort(): void {
    for (const { cancel } of this.open.values()) cancel.abort();
  }
}
