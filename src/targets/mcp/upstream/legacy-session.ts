import { type JsonObject, isObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { resultWithin } from '../../../kernel/async/timeout';
import { CAPABILITY_OF_REQUEST, UNSET_LOG_LEVEL } from '../protocol/methods';
import { RPC_ERRORS } from '../protocol/rpc-errors';
import {
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  idKey,
  rpcError,
  rpcNotification,
  rpcRequest,
  rpcResult,
} from '../protocol/rpc-messages';
import type { DiscoveredServer, ExchangeOptions, UpstreamAnswer, UpstreamRequest } from './contract';
import { endedEarly, lostFault, malformedFault, sentBefore } from './faults';
import { type CallEvent, LegacyCall } from './legacy-call';
import type { LegacyLink, LegacyReceiver } from './legacy-link';
import { LegacySubscriptions } from './legacy-subscriptions';
import { SessionLogLevel } from './log-level';
import { isChange, metaFor, notificationFor } from './notifications';
import { Patience } from './patience';
import { SuspendedCalls } from './server-requests';
import type { SpeakerOptions } from './speaker';

/** Maximum number of server requests that wait until a call can forward them to the client. */
const MOST_HELD = 16;
/** Maximum time that a call waits for the shared stream, on which the server may ask for input. */
const LISTEN_MS = 1_000;
/**
 * Maximum time of a request of the gateway itself. Short, because calls and subscriptions wait for its
 * answer.
 */
const OWN_REQUEST_MS = 5_000;
const TOO_MANY = 'too many requests of the server wait for the client';

/** A session at a legacy server, from `initialize` on. It handles messages; its link transports them. */
export class LegacySession implements LegacyReceiver {
  server!: DiscoveredServer;
  private link!: LegacyLink;
  private subscriptions: LegacySubscriptions | undefined;
  private readonly calls = new Map<number, LegacyCall>();
  private readonly held: RpcRequest[] = [];
  private readonly suspended = new SuspendedCalls((call) => this.cancel(call));
  private readonly logLevel = new SessionLogLevel((level) => this.agrees('logging/setLevel', { level }));
  private listening: Promise<boolean> | undefined;
  private end: unknown;

  constructor(private readonly options: SpeakerOptions) {}

  begin(link: LegacyLink): void {
    this.link = link;
  }

  /** @param server the result of `initialize` */
  established(server: DiscoveredServer): void {
    this.server = server;
    this.subscriptions = new LegacySubscriptions(
      (method, params) => this.agrees(method, params),
      server.capabilities,
      this.options.client.era === 'legacy',
    );
  }

  get isOver(): boolean {
    return this.end !== undefined;
  }

  /** @throws UpstreamFault, SessionGone, EraMismatch, or an error of `notify` */
  async exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer> {
    if (request.continuation !== undefined) return this.continued(request, on);
    if (this.subscriptions !== undefined) {
      const { logLevel = UNSET_LOG_LEVEL } = request;
      if (logLevel !== UNSET_LOG_LEVEL && isObject(this.server.capabilities['logging']))
        await this.logLevel.want(logLevel);
      if (this.asksClient) await this.listens();
    }
    const call = new LegacyCall(this.options.nextId(), request);
    this.calls.set(call.id, call);
    if (call.takesInput)
      for (const asked of this.held.splice(0)) call.push({ kind: 'asked', request: asked });
    this.link
      .request(rpcRequest(call.id, request.method, paramsFor(request, call.id)), call)
      .catch((error: unknown) => call.fail(error));
    return this.follow(call, on);
  }

  async subscribe(
    ...[filter, on]: Parameters<LegacySubscriptions['add']>
  ): ReturnType<LegacySubscriptions['add']> {
    const { subscriptions } = this;
    const listening = this.listens();
    // A server without a stream sends no notices.
    if (subscriptions === undefined || !(await listening)) return {};
    if (this.isOver || this.listening !== listening) throw endedEarly();
    return subscriptions.add(filter, on);
  }

  notify(method: string, params?: JsonObject): Promise<void> {
    return this.link.send(rpcNotification(method, params), AbortSignal.timeout(this.options.timeoutMs));
  }

  receive(message: RpcMessage, via?: LegacyCall): MaybePromise<void> {
    switch (message.kind) {
      case 'result':
      case 'error': {
        // An error without id in the response to a request belongs to this request.
        const id = message.id ?? (message.kind === 'error' ? via?.id : undefined);
        if (via !== undefined && id !== via.id) throw malformedFault('answers another request');
        const call = typeof id === 'number' ? this.calls.get(id) : undefined;
        call?.push(answeredBy(message));
        return;
      }
      case 'request':
        return this.asked(message, via);
      case 'notification':
        return this.told(message, via);
    }
  }

  changesEnded(): void {
    // Makes the next subscription open the stream again, because without a stream it would get no notices.
    this.listening = undefined;
    this.subscriptions?.endAll();
  }

  lost(error: unknown): void {
    if (this.isOver) return;
    this.end = error;
    this.suspended.clear();
    for (const call of this.calls.values()) call.fail(error);
    this.subscriptions?.endAll();
  }

  async close(): Promise<void> {
    this.lost(lostFault('The gateway closed the session at the MCP server'));
    for (const call of this.calls.values()) call.controller.abort();
    await this.link.close();
  }

  /** Delivers notifications until the server answers the call or asks for input. */
  private async follow(call: LegacyCall, on: ExchangeOptions): Promise<UpstreamAnswer> {
    const patience = new Patience(on.signal, this.options.timeoutMs);
    try {
      for (;;) {
        const event: CallEvent = await call.next(patience.signal);
        patience.heard();
        if (event.kind === 'notification')
          await patience.without(() => on.notify(event.method, event.params));
        else if (event.kind === 'asked') {
          const asked = [event.request, ...call.takeAsked()];
          if (!this.suspended.isFull) return this.suspended.suspend(call, asked);
          for (const { id } of asked) this.refuse(id, TOO_MANY);
        } else {
          this.calls.delete(call.id);
          if (event.kind === 'answered') return event.answer;
          throw event.error;
        }
      }
    } catch (error) {
      if (!call.isOver) this.cancel(call);
      this.calls.delete(call.id);
      throw patience.faultOf(error);
    } finally {
      patience.end();
    }
  }

  private async continued(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer> {
    const found =
      request.continuation === undefined ? undefined : this.suspended.resume(request.continuation);
    if (found === undefined) throw lostFault('The MCP server does not wait for this input any more');
    const { call, replies } = found;
    if (call.request.method !== request.method) {
      this.cancel(call);
      throw lostFault('The input belongs to another request');
    }
    for (const reply of on.signal.aborted ? [] : replies) this.reply(reply, call);
    return this.follow(call, on);
  }

  private asked(request: RpcRequest, via: LegacyCall | undefined): void {
    const { id, method } = request;
    if (method === 'ping') return this.reply(rpcResult(id, {}));
    const capability = Object.hasOwn(CAPABILITY_OF_REQUEST, method)
      ? CAPABILITY_OF_REQUEST[method]
      : undefined;
    if (capability === undefined || !Object.hasOwn(this.options.client.capabilities, capability))
      return this.refuse(id, 'the client does not support this request', RPC_ERRORS.methodNotFound);
    // A request on a shared stream does not name its call. The latest open call is the most likely one.
    const call = via ?? [...this.calls.values()].findLast((open) => open.takesInput && !open.isOver);
    if (call?.takesInput === true) {
      if (!call.isFull) return call.push({ kind: 'asked', request });
      return this.refuse(id, TOO_MANY);
    }
    if (call !== undefined || this.held.length >= MOST_HELD)
      return this.refuse(id, 'no request is open that could ask the client');
    this.held.push(request);
  }

  private told(notification: RpcNotification, via: LegacyCall | undefined): MaybePromise<void> {
    const { method, params } = notification;
    // A modern client receives notices of changes only through its subscriptions. A legacy client also
    // receives the notices that the server sends in the response to a request.
    const isForCall = via !== undefined && this.options.client.era === 'legacy';
    if (isChange(method) && !isForCall) return this.subscriptions?.tell(notification);
    if (method === 'notifications/cancelled') return this.withdrawn(params?.['requestId']);
    for (const call of via === undefined ? [...this.calls.values()].toReversed() : [via]) {
      const shown = notificationFor(call.request, call.id, notification);
      if (shown !== undefined) return call.push({ kind: 'notification', method, params: shown });
    }
    if (via === undefined) return this.subscriptions?.tell(notification);
  }

  /** Removes a server's request to the client, because the server withdrew the request. */
  private withdrawn(id: JsonObject[string] | undefined): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const isIt = (request: RpcRequest): boolean => idKey(request.id) === idKey(id);
    const at = this.held.findIndex(isIt);
    if (at >= 0) this.held.splice(at, 1);
    else if (![...this.calls.values()].some((call) => call.withdraw(isIt))) this.suspended.withdraw(id);
  }

  private cancel(call: LegacyCall): void {
    this.calls.delete(call.id);
    call.abandon();
    if (this.isOver || call.request.method === 'initialize') return;
    this.notify('notifications/cancelled', {
      requestId: call.id,
      reason: 'The client cancelled the request.',
    }).catch(() => undefined);
  }

  private refuse(id: RpcRequest['id'], message: string, code: number = RPC_ERRORS.internalError): void {
    this.reply(rpcError(id, { code, message }));
  }

  /** @param call the call that fails if the message does not reach the server */
  private reply(message: JsonObject, call?: LegacyCall): void {
    this.link
      .send(message, AbortSignal.timeout(this.options.timeoutMs))
      .catch((error: unknown) => call?.fail(sentBefore(error)));
  }

  /** Sends a request that the gateway itself makes. Returns whether the server agreed in time. */
  private async agrees(method: string, params: JsonObject): Promise<boolean> {
    if (this.isOver) return false;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), OWN_REQUEST_MS);
    const on = { signal: limit.signal, notify: () => undefined };
    const answer = await this.exchange({ method, params }, on).catch(() => undefined);
    clearTimeout(timer);
    return answer?.kind === 'result';
  }

  /**
   * Whether the server has a stream for messages outside of requests. Without an answer in time, assumes that
   * there is one, because some servers send the headers of the stream only with its first message.
   */
  private listens(): Promise<boolean> {
    return (this.listening ??= resultWithin(this.link.listen(), LISTEN_MS).then((isOpen) => isOpen ?? true));
  }

  private get asksClient(): boolean {
    return Object.values(CAPABILITY_OF_REQUEST).some((capability) =>
      Object.hasOwn(this.options.client.capabilities, capability),
    );
  }
}

/**
 * Fails for any result type but `complete`, because legacy results have no type. Otherwise a server could use
 * `input_required` to ask a modern client for input without a check by the connection's policy.
 */
function answeredBy(message: RpcResponse): CallEvent {
  if (message.kind === 'error') return { kind: 'answered', answer: { kind: 'error', error: message.error } };
  const { result } = message;
  if ((result['resultType'] ?? 'complete') === 'complete')
    return { kind: 'answered', answer: { kind: 'result', result } };
  return { kind: 'failed', error: malformedFault('is of a type that its revision does not have') };
}

function paramsFor({ method, params }: UpstreamRequest, id: number): JsonObject | undefined {
  const { _meta: _, ...rest } = params;
  const meta = metaFor(params, id, {});
  if (meta !== undefined) return { ...rest, _meta: meta };
  return Object.keys(rest).length === 0 && method !== 'tools/call' ? undefined : rest;
}
