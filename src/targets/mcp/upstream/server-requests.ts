import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../protocol/rpc-errors';
import { type RpcId, type RpcRequest, idKey, rpcError, rpcResult } from '../protocol/rpc-messages';
import { type Continuation, type InputRequest, type UpstreamAnswer, isRefusedInput } from './contract';
import type { LegacyCall } from './legacy-call';

/** Maximum number of exchanges of one client that wait for input at the same time. */
const MOST_SUSPENDED = 64;
/** Time after which a waiting call is canceled. It is long, because people answer some requests. */
const SUSPENDED_MS = 15 * 60_000;

interface Suspended {
  readonly call: LegacyCall;
  /** Ids of the server's requests, by the key that the client receives. */
  readonly asked: Map<string, RpcId>;
  readonly timer: NodeJS.Timeout;
}

/** Calls at a legacy server that wait for their client's answers to requests of the server. */
export class SuspendedCalls {
  private readonly byState = new Map<string, Suspended>();

  /** @param expired called when nobody continued the call in time */
  constructor(private readonly expired: (call: LegacyCall) => void) {}

  get isFull(): boolean {
    return this.byState.size >= MOST_SUSPENDED;
  }

  /** Suspends a call until the client answers. Returns a random `state` that can continue the call once. */
  suspend(call: LegacyCall, requests: readonly RpcRequest[]): Extract<UpstreamAnswer, { kind: 'input' }> {
    const state = randomUUID();
    const keyed = requests.map((request, index) => [`request-${index + 1}`, request] as const);
    const timer = setTimeout(() => {
      this.byState.delete(state);
      this.expired(call);
    }, SUSPENDED_MS);
    timer.unref();
    this.byState.set(state, { call, timer, asked: new Map(keyed.map(([key, { id }]) => [key, id])) });
    return {
      kind: 'input',
      state,
      requests: Object.fromEntries(keyed.map(([key, request]) => [key, inputOf(request)])),
    };
  }

  /**
   * Returns the call that was suspended with `state`, and the replies to its server; undefined if none was.
   */
  resume({
    state,
    responses,
  }: Continuation): { readonly call: LegacyCall; readonly replies: JsonObject[] } | undefined {
    const suspended = state === undefined ? undefined : this.byState.get(state);
    if (state === undefined || suspended === undefined) return undefined;
    this.byState.delete(state);
    clearTimeout(suspended.timer);
    const replies = [...suspended.asked].map(([key, id]) =>
      replyTo(id, Object.hasOwn(responses, key) ? responses[key] : undefined),
    );
    return { call: suspended.call, replies };
  }

  /** Removes a request to the client that the server withdrew. */
  withdraw(requestId: RpcId): void {
    for (const { asked } of this.byState.values())
      for (const [key, id] of asked) if (idKey(id) === idKey(requestId)) asked.delete(key);
  }

  /** Forgets all suspended calls. */
  clear(): void {
    for (const { timer } of this.byState.values()) clearTimeout(timer);
    this.byState.clear();
  }
}

function inputOf({ method, params }: RpcRequest): InputRequest {
  return { method, ...(params === undefined ? {} : { params }) };
}

function replyTo(id: RpcId, response: JsonObject[string] | undefined): JsonObject {
  if (isRefusedInput(response)) return rpcError(id, response.error);
  if (typeof response === 'object' && response !== null && !Array.isArray(response))
    return rpcResult(id, response as JsonObject);
  return rpcError(id, { code: RPC_ERRORS.internalError, message: 'the client gave no answer' });
}
