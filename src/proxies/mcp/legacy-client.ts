import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Json, type JsonObject, isObject } from '../../kernel/json/json';
import { LOG_LEVELS, foreignMeta } from '../../targets/mcp/protocol/methods';
import { type LegacyRevision, NEWEST_LEGACY, isLegacyRevision } from '../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import {
  RpcFault,
  type RpcMessage,
  type RpcRequest,
  idKey,
  rpcError as rpcErrorMessage,
  rpcNotification,
  rpcResult,
} from '../../targets/mcp/protocol/rpc-messages';
import type { Continuation, UpstreamAnswer } from '../../targets/mcp/upstream';
import type { HttpAnswer } from './answer';
import type { SignedArrival } from './arrival';
import type { RequestingClient } from './requesting-client';
import { LazyStream } from './lazy-stream';
import { LegacyClientSession } from './legacy-session';
import { LegacySessions } from './legacy-sessions';
import { MAX_URIS } from './change-filter';
import { isList } from './lists';
import { missingCapabilities } from './missing-capabilities';
import { GATEWAY_ERRORS, errorAnswer } from './policy-errors';
import type { VisitOpener } from './served-visit';
import { Visits } from './visits';

/** Requests that are passed on. */
const PASSED: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** Serves clients of the legacy era: a session that begins with `initialize`. */
@Injectable()
export class LegacyClients {
  private readonly log = new Logger(LegacyClients.name);

  constructor(
    @Inject(Visits) private readonly visits: VisitOpener,
    private readonly sessions: LegacySessions,
  ) {}

  /** Begins a session. @throws RpcFault; AppError as `Visits.enter` does */
  async initialize({ id, params = {} }: RpcRequest, arrival: SignedArrival, http: HttpAnswer): Promise<void> {
    const { clientInfo, capabilities, protocolVersion } = params;
    if (!isObject(clientInfo) || !isObject(capabilities) || typeof protocolVersion !== 'string')
      throw new RpcFault(
        RPC_ERRORS.invalidParams,
        '"initialize" needs "protocolVersion", "capabilities" and "clientInfo"',
        id,
      );
    // The transport of 2024-11-05 is another one.
    const revision: LegacyRevision =
      isLegacyRevision(protocolVersion) && protocolVersion !== '2024-11-05' ? protocolVersion : NEWEST_LEGACY;
    const client = { info: clientInfo, capabilities };
    const visit = await this.visits.enter({ ...arrival, client }, () => undefined);
    const session = new LegacyClientSession(arrival.principal, visit, revision, client);
    await visit.use(async () => {
      const asked = { method: 'server/discover', params: {} };
      const asking = {
        arrival,
        signal: AbortSignal.any([http.left, visit.ended]),
        notify: () => undefined,
        holding: () => undefined,
      };
      const { answer } = await visit.interactions.request(asked, asking);
      if (answer.kind !== 'result') {
        http.end(answer.kind === 'error' ? rpcErrorMessage(id, answer.error) : {});
        return void visit.close(1, 'The server could not be asked what it offers.');
      }
      this.sessions.add(session);
      const {
        capabilities: offered = {},
        serverInfo = { name: visit.session.target.name, version: '0' },
        instructions,
      } = answer.result;
      const result: JsonObject = {
        protocolVersion: revision,
        capabilities: offered,
        serverInfo,
        ...(instructions === undefined ? {} : { instructions }),
      };
      http.end(rpcResult(id, result), 200, { 'Mcp-Session-Id': session.id });
    });
  }

  /** Takes a message of a session, or a batch of them. */
  async serve(
    messages: readonly RpcMessage[],
    isBatch: boolean,
    session: LegacyClientSession,
    arrival: SignedArrival,
    http: HttpAnswer,
  ): Promise<void> {
    const requests: RpcRequest[] = [];
    for (const message of messages) {
      if (message.kind === 'request') requests.push(message);
      else if (message.kind === 'notification') notified(message.method, message.params, session);
      else if (!session.answered(message) && !isBatch)
        throw new RpcFault(RPC_ERRORS.invalidRequest, 'nobody waits for an answer with this id');
    }
    if (requests.length === 0) return http.close();
    requireNewIds(requests, session);
    const stream = new LazyStream(session, http, arrival);
    const { visit } = session;
    await visit.use(async () => {
      const unsent = new Set<JsonObject>();
      const answers = await Promise.all(
        requests.map(async (request) => {
          const message = await this.answerMessage(request, session, stream);
          if (stream.isOpen) await stream.log.send(message);
          else unsent.add(message);
          return message;
        }),
      );
      if (!stream.isOpen) return http.end(isBatch ? answers : (answers[0] ?? {}));
      // These were ready before the stream was opened for another one.
      for (const message of unsent) await stream.log.send(message);
      stream.end();
    });
  }

  /** Opens or resumes a stream. */
  async stream(
    session: LegacyClientSession,
    lastEventId: { stream: string; at: number } | undefined,
    http: HttpAnswer,
  ): Promise<void> {
    if (lastEventId === undefined) {
      session.changes.attach(http);
      if (session.revision === '2025-11-25') await session.changes.prime();
      this.listen(session);
    } else if (!((await session.stream(lastEventId.stream)?.resume(http, lastEventId.at)) ?? false)) {
      throw new RpcFault(RPC_ERRORS.invalidRequest, 'the stream of Last-Event-ID cannot be resumed any more');
    }
    const { left } = http;
    await new Promise<void>((resolve) => {
      if (http.isOver) resolve();
      left.addEventListener('abort', () => resolve(), { once: true });
      session.visit.ended.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private async answerMessage(
    request: RpcRequest,
    session: LegacyClientSession,
    stream: LazyStream,
  ): Promise<JsonObject> {
    const answer = await this.answer(request, session, stream);
    if (answer.kind === 'result') return rpcResult(request.id, shown(request.method, answer.result));
    if (answer.kind === 'error') return rpcErrorMessage(request.id, answer.error);
    throw new Error('requests for input are put to the client first');
  }

  private async answer(
    request: RpcRequest,
    session: LegacyClientSession,
    stream: LazyStream,
  ): Promise<UpstreamAnswer> {
    const { method, params = {} } = request;
    switch (method) {
      case 'ping':
        return { kind: 'result', result: {} };
      case 'logging/setLevel':
        return setLevel(params['level'], session);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.subscribe(method, params['uri'], session);
    }
    if (!PASSED.has(method)) return errorAnswer(RPC_ERRORS.methodNotFound, `Method not found: ${method}`);
    const cancel = new AbortController();
    session.inFlight.set(idKey(request.id), cancel);
    try {
      return await this.passed(method, params, session, stream, cancel.signal);
    } finally {
      session.inFlight.delete(idKey(request.id));
    }
  }

  /** Asks the server, and for it the client, until there is a result. */
  private async passed(
    method: string,
    { _meta, ...params }: JsonObject,
    session: LegacyClientSession,
    stream: LazyStream,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    const { interactions } = session.visit;
    const meta = foreignMeta(_meta);
    const given: JsonObject = meta === undefined ? params : { ...params, _meta: meta };
    const client: RequestingClient = {
      arrival: stream.arrival,
      signal,
      notify: async (name, told) => (await stream.opened()).send(rpcNotification(name, told)),
      holding: () => void stream.opened(),
    };
    let continuation: Continuation | undefined;
    let resumes: number | undefined;
    for (;;) {
      const { logLevel } = session;
      const request = { method, params: given, logLevel, continuation };
      const { answer, serial } = await interactions.request(request, client, resumes);
      if (answer.kind !== 'input') return answer;
      const missing = missingCapabilities(answer, session.client.capabilities);
      if (missing !== undefined) return errorAnswer(GATEWAY_ERRORS.refused, missing.message);
      const responses: JsonObject = {};
      for (const [key, asked] of Object.entries(answer.requests)) {
        const response = await session.ask(await stream.opened(), asked.method, asked.params, signal);
        if (response === undefined) return errorAnswer(GATEWAY_ERRORS.refused, 'The request was cancelled.');
        responses[key] = response.kind === 'result' ? response.result : { error: response.error };
      }
      continuation = { responses, state: answer.state };
      resumes = serial;
    }
  }

  private async subscribe(
    method: string,
    uri: Json | undefined,
    session: LegacyClientSession,
  ): Promise<UpstreamAnswer> {
    if (typeof uri !== 'string') return errorAnswer(RPC_ERRORS.invalidParams, '"uri" is not a string');
    if (method === 'resources/subscribe' && session.uris.size >= MAX_URIS)
      return errorAnswer(RPC_ERRORS.invalidParams, `a session subscribes to at most ${MAX_URIS} resources`);
    if (method === 'resources/subscribe') session.uris.add(uri);
    else session.uris.delete(uri);
    this.listen(session);
    return { kind: 'result', result: {} };
  }

  private listen(session: LegacyClientSession): void {
    session
      .listen()
      .catch((error: unknown) => this.log.debug({ err: error }, 'A server does not tell of its changes'));
  }
}

function notified(method: string, params: JsonObject | undefined, session: LegacyClientSession): void {
  const id = params?.['requestId'];
  if (method !== 'notifications/cancelled' || (typeof id !== 'string' && typeof id !== 'number')) return;
  session.inFlight.get(idKey(id))?.abort();
}

/** An id stands for one request at a time. @throws RpcFault */
function requireNewIds(requests: readonly RpcRequest[], session: LegacyClientSession): void {
  const seen = new Set<string>();
  for (const { id } of requests) {
    const key = idKey(id);
    if (seen.has(key) || session.inFlight.has(key))
      throw new RpcFault(RPC_ERRORS.invalidRequest, 'a request with this id is being answered', id);
    seen.add(key);
  }
}

function setLevel(level: Json | undefined, session: LegacyClientSession): UpstreamAnswer {
  if (typeof level !== 'string' || !(LOG_LEVELS as readonly string[]).includes(level))
    return errorAnswer(RPC_ERRORS.invalidParams, '"level" is not a log level');
  session.logLevel = level;
  return { kind: 'result', result: {} };
}

/** A result without what only modern clients know. */
function shown(method: string, result: JsonObject): JsonObject {
  const { resultType, ...rest } = result;
  if (resultType !== undefined && resultType !== 'complete') return result;
  if (!isList(method) && method !== 'resources/read') return rest;
  const { ttlMs: _ttl, cacheScope: _scope, ...legacy } = rest;
  return legacy;
}
