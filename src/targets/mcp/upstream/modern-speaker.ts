import { type Json, type JsonObject, isObject, writeJson } from '../../../kernel/json/json';
import { MCP_HEADERS, encodeHeaderValue } from '../protocol/header-values';
import {
  CAPABILITY_OF_REQUEST,
  INPUT_METHODS,
  LOG_LEVELS,
  META,
  UNSET_LOG_LEVEL,
  mirroredName,
} from '../protocol/methods';
import { type ModernRevision, isModernRevision } from '../protocol/revisions';
import { RPC_ERRORS, isModernErrorCode } from '../protocol/rpc-errors';
import { type RpcResponse, rpcRequest } from '../protocol/rpc-messages';
import {
  type DiscoveredServer,
  type ExchangeOptions,
  type InputRequest,
  type SubscriptionFilter,
  type SubscriptionOptions,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamRequest,
} from './contract';
import { lostFault, malformedFault } from './faults';
import type { HttpReply } from './http-way';
import { listen } from './modern-subscription';
import { metaFor, notificationFor } from './notifications';
import { Patience } from './patience';
import { ReplyMessages, refusalOf } from './reply-messages';
import { EraMismatch, type SentRequest, type Speaker, type SpeakerOptions } from './speaker';

/** Sends requests to a server of the modern era, which has no sessions. */
export class ModernSpeaker implements Speaker {
  server: DiscoveredServer | undefined;
  private readonly closing = new AbortController();

  constructor(
    readonly options: SpeakerOptions,
    readonly revision: ModernRevision,
  ) {}

  async discover(signal?: AbortSignal): Promise<DiscoveredServer> {
    const answer = await this.exchange(
      { method: 'server/discover', params: {} },
      { signal: signal ?? this.options.closing, notify: () => undefined },
    );
    const result = answer.kind === 'result' ? answer.result : undefined;
    const found = result === undefined ? undefined : discoveredOf(result, this.revision);
    if (found === undefined)
      throw new EraMismatch(malformedFault('to server/discover is not one of the modern protocol'));
    return (this.server = found);
  }

  async exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer> {
    const patience = new Patience(on.signal, this.options.timeoutMs);
    try {
      const { id, reply } = await this.send(request, patience.signal);
      if (!reply.isSuccess) return await this.refused(reply, id);
      for await (const message of this.messagesOf(reply)) {
        patience.heard();
        if (message.kind === 'request')
          throw malformedFault('is a request, which servers of its revision do not send');
        if (message.kind !== 'notification') return answerOf(request.method, message, id, this.hasExtensions);
        const params = notificationFor(request, id, message);
        if (params !== undefined) await patience.without(() => on.notify(message.method, params));
      }
      throw lostFault('The MCP server ended its answer before it was complete');
    } catch (error) {
      throw patience.faultOf(error);
    } finally {
      patience.end();
    }
  }

  subscribe(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter> {
    return listen(this, filter, on, this.closing.signal);
  }

  /** Does nothing, because the modern era has no such notification. */
  rootsChanged(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  messagesOf(reply: HttpReply): ReplyMessages {
    return new ReplyMessages(reply, { maxBytes: this.options.maxMessageBytes, hasBatches: false });
  }

  async send(request: UpstreamRequest, signal: AbortSignal): Promise<SentRequest> {
    // The header `Mcp-Method` repeats the method, but has no encoded form for special characters.
    if (encodeHeaderValue(request.method) !== request.method)
      throw new UpstreamFault('refused', 'The MCP server cannot be asked for a method of this name.');
    const id = this.options.nextId();
    const { method, continuation, traceparent, paramHeaders = {} } = request;
    const params: JsonObject = {
      ...request.params,
      ...(continuation === undefined ? {} : { inputResponses: continuation.responses }),
      ...(continuation?.state === undefined ? {} : { requestState: continuation.state }),
    };
    const { info, capabilities } = this.options.client;
    const logLevel = request.logLevel === UNSET_LOG_LEVEL ? LOG_LEVELS[0] : request.logLevel;
    const meta = metaFor(request.params, id, {
      [META.protocolVersion]: this.revision,
      [META.clientInfo]: info,
      [META.clientCapabilities]: capabilities,
      ...(logLevel === undefined ? {} : { [META.logLevel]: logLevel }),
    });
    if (meta !== undefined) params['_meta'] = meta;
    const name = mirroredName(method, params);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      [MCP_HEADERS.protocolVersion]: this.revision,
      [MCP_HEADERS.method]: method,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(name === undefined ? {} : { [MCP_HEADERS.name]: encodeHeaderValue(name) }),
      ...Object.fromEntries(
        Object.entries(paramHeaders).map(([key, value]) => [
          MCP_HEADERS.paramPrefix + key.toLowerCase(),
          encodeHeaderValue(value),
        ]),
      ),
    };
    const body = writeJson(rpcRequest(id, method, params));
    const isRepeatable = method !== 'tools/call';
    return {
      id,
      reply: await this.options.way.send({ method: 'POST', headers, body, isRepeatable }, signal),
    };
  }

  /** Handles a status that is not a success. Returns the error that the server sent, or throws a fault. */
  async refused(reply: HttpReply, id: number): Promise<UpstreamAnswer> {
    const refusal = await refusalOf(reply);
    const fault = reply.statusFault();
    if (refusal?.kind === 'error') {
      // The server does not support the revision, so the caller must detect its era again.
      if (refusal.error.code === RPC_ERRORS.unsupportedVersion) throw new EraMismatch(fault, refusal.error);
      if (refusal.id === id || isModernErrorCode(refusal.error.code))
        return { kind: 'error', error: refusal.error };
      if (refusal.id !== undefined) throw malformedFault('answers another request');
    }
    // Servers answer with these statuses if they expect `initialize`, or the transport of 2024-11-05.
    if ([400, 404, 405, 406, 415].includes(reply.status)) throw new EraMismatch(fault);
    throw fault;
  }

  private get hasExtensions(): boolean {
    return Object.hasOwn(this.options.client.capabilities, 'extensions');
  }
}

const UNSUPPORTED = 'The MCP server does not support the revision of the protocol.';

/** Returns undefined if the result is not from a modern server, or if the server lacks the revision. */
export function discoveredOf(result: JsonObject, revision: ModernRevision): DiscoveredServer | undefined {
  const { supportedVersions, capabilities, instructions } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(revision) || !isObject(capabilities))
    return undefined;
  const meta = result['_meta'];
  const serverInfo = isObject(meta) ? meta[META.serverInfo] : undefined;
  return {
    era: 'modern',
    revision,
    capabilities,
    ...(isObject(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

/** Revisions that an `UnsupportedProtocolVersion` error names. */
export function supportedIn(data: Json | undefined): {
  readonly modern?: ModernRevision;
  readonly all: readonly string[];
} {
  const supported = isObject(data) && Array.isArray(data['supported']) ? data['supported'] : [];
  const modern = supported.find(isModernRevision);
  const all = supported.filter((revision): revision is string => typeof revision === 'string');
  return { all, ...(modern === undefined ? {} : { modern }) };
}

function answerOf(method: string, message: RpcResponse, id: number, hasExtensions: boolean): UpstreamAnswer {
  if (message.id !== undefined && message.id !== id) throw malformedFault('answers another request');
  if (message.kind === 'error') {
    const { error } = message;
    if (error.code !== RPC_ERRORS.unsupportedVersion) return { kind: 'error', error };
    throw new EraMismatch(new UpstreamFault('refused', UNSUPPORTED), error);
  }
  const { result } = message;
  const type = result['resultType'] ?? 'complete';
  if (type === 'input_required') return inputOf(method, result);
  // Extensions that the client declared may add types of results.
  if (type !== 'complete' && !(typeof type === 'string' && hasExtensions))
    throw malformedFault('is of a type that its revision does not have');
  return { kind: 'result', result };
}

function inputOf(method: string, result: JsonObject): UpstreamAnswer {
  const { inputRequests, requestState } = result;
  if (!INPUT_METHODS.includes(method))
    throw malformedFault('asks for input, which this request does not allow');
  if (inputRequests === undefined && requestState === undefined)
    throw malformedFault('asks for input and names none');
  if (requestState !== undefined && typeof requestState !== 'string')
    throw malformedFault('has a "requestState" that is not a string');
  if (inputRequests !== undefined && !isObject(inputRequests))
    throw malformedFault('has "inputRequests" that are not an object');
  const requests = Object.entries(inputRequests ?? {}).map(
    ([key, request]) => [key, inputRequestOf(request)] as const,
  );
  return {
    kind: 'input',
    requests: Object.fromEntries(requests),
    ...(requestState === undefined ? {} : { state: requestState }),
  };
}

function inputRequestOf(request: Json): InputRequest {
  const { method, params } = isObject(request) ? request : {};
  if (
    typeof method !== 'string' ||
    !Object.hasOwn(CAPABILITY_OF_REQUEST, method) ||
    (params !== undefined && !isObject(params))
  )
    throw malformedFault('asks for an input that its revision does not have');
  return { method, ...(params === undefined ? {} : { params }) };
}
