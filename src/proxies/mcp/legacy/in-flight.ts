import { type RpcId, idKey } from '../../../targets/mcp/protocol/rpc-messages';

/** A request of a client that is being answered. */
export interface Flight {
  /** Aborts when the client does not want the answer any more, or the session is over. */
  readonly signal: AbortSignal;
  /** Whether the client itself cancelled the request: nothing is answered then. */
  readonly isUnwanted: boolean;
  /** It was answered. */
  end(): void;
}

/** The requests of a legacy session that are being answered, by their ids. */
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

  /** The client cancelled this request. */
  cancel(id: RpcId): void {
    const request = this.open.get(idKey(id));
    if (request === undefined) return;
    request.isUnwanted = true;
    request.cancel.abort();
  }

  /** The client leaves, and reads no answer: some SDKs fail where one comes. */
  leave(): void {
    for (const request of this.open.values()) request.isUnwanted = true;
  }

  /** The session is over: what is open is answered, unless its client does not want that. */
  abort(): void {
    for (const { cancel } of this.open.values()) cancel.abort();
  }
}
