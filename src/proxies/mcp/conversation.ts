import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { HttpSettings } from '../../platform/config/groups';
import { type Json, writeJson } from '../../kernel/json/json';
import { MCP_HEADERS } from '../../targets/mcp/protocol/header-values';
import { isLegacyRevision } from '../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import {
  RpcFault,
  type RpcMessage,
  type RpcRequest,
  classifyMessage,
} from '../../targets/mcp/protocol/rpc-messages';
import { WorkerLinks } from '../kit/worker-links';
import type { HttpAnswer } from './http/answer';
import type { SignedArrival } from './http/arrival';
import { parsedEventId } from './legacy/event-log';
import { HttpFault } from './http/http-fault';
import { LegacyClients } from './legacy/legacy-client';
import type { LegacyClientSession } from './legacy/legacy-session';
import { LegacySessions } from './legacy/legacy-sessions';
import { ModernClients } from './modern/modern-client';
import { isModern, requireModernNotification } from './http/modern-request';
import { readMessage } from './http/read-message';

/** Maximum number of messages in a batch (2025-03-26). */
const MAX_BATCH = 50;

/**
 * Routes each message by the era of MCP (legacy or modern) that the message uses, because a client may change
 * its era with each message.
 */
@Injectable()
export class Conversation {
  constructor(
    private readonly settings: HttpSettings,
    private readonly modern: ModernClients,
    private readonly legacy: LegacyClients,
    private readonly sessions: LegacySessions,
    private readonly links: WorkerLinks,
  ) {}

  /** @throws HttpFault, RpcFault, AppError, UpstreamFault */
  async handle(request: Request, arrival: SignedArrival, http: HttpAnswer): Promise<void> {
    switch (request.method) {
      case 'GET':
        return this.stream(request, arrival, http);
      case 'DELETE':
        await this.session(request, arrival).leave();
        return http.close(204);
      default:
        return this.post(request, arrival, http);
    }
  }

  private async post(request: Request, arrival: SignedArrival, http: HttpAnswer): Promise<void> {
    const { headers } = request;
    requireAcceptable(headers.accept);
    const json = await readMessage(request, this.settings.bodyLimitMb);
    if (Array.isArray(json)) return this.batch(json, request, arrival, http);
    const message = classifyMessage(json);
    try {
      if ('params' in message && isModern(message.params, headers)) {
        if (message.kind === 'request') {
          if (await this.isPassed(json, message, request)) return;
          return await this.modern.serve(message, headers, arrival, http);
        }
        if (message.kind === 'notification') {
          requireModernNotification(message, headers);
          return http.close();
        }
      }
      if (message.kind === 'request' && message.method === 'initialize')
        return await this.legacy.initialize(message, arrival, http);
      return await this.legacy.serve([message], false, this.session(request, arrival), arrival, http);
    } catch (error) {
      throw withId(error, message);
    }
  }

  /**
   * Passes the request to the worker process that its `requestState` names, because the request that it
   * continues, or the MCP session with the approved call, may be in that worker. Returns false if this worker
   * must answer the request: the state names no other worker, or the named worker is gone.
   */
  private async isPassed(json: Json, { params }: RpcRequest, request: Request): Promise<boolean> {
    const state = params?.['requestState'];
    if (typeof state !== 'string' || request.res === undefined) return false;
    return this.links.pass(state, request, request.res, writeJson(json));
  }

  private async batch(
    json: readonly Json[],
    request: Request,
    arrival: SignedArrival,
    http: HttpAnswer,
  ): Promise<void> {
    const hasSession = request.headers[MCP_HEADERS.session] !== undefined;
    const session = hasSession ? this.session(request, arrival) : undefined;
    if (session?.revision !== '2025-03-26')
      throw new RpcFault(
        RPC_ERRORS.invalidRequest,
        'batches exist only in sessions of the revision 2025-03-26',
      );
    if (json.length === 0 || json.length > MAX_BATCH)
      throw new RpcFault(RPC_ERRORS.invalidRequest, `a batch has 1 to ${MAX_BATCH} messages`);
    const messages = json.map(classifyMessage);
    if (messages.some((message) => message.kind === 'request' && message.method === 'initialize'))
      throw new RpcFault(RPC_ERRORS.invalidRequest, '"initialize" is not part of a batch');
    return this.legacy.serve(messages, true, session, arrival, http);
  }

  private async stream(request: Request, arrival: SignedArrival, http: HttpAnswer): Promise<void> {
    const session = this.session(request, arrival);
    if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? ''))
      throw new HttpFault(406, 'a stream is sent as text/event-stream, which the request must accept');
    const last = request.headers[MCP_HEADERS.lastEventId];
    if (last === undefined) return this.legacy.stream(session, undefined, http);
    const event = parsedEventId(String(last));
    if (event === undefined)
      throw new HttpFault(400, 'Last-Event-ID is not the id of an event of this session');
    return this.legacy.stream(session, event, http);
  }

  /**
   * Returns the legacy session of a request.
   * @throws HttpFault 400 without a session id, 404 for an unknown session or a session of another user, 405
   * for GET and DELETE of modern clients
   */
  private session(
    { method, headers }: Request,
    { principal, connection }: SignedArrival,
  ): LegacyClientSession {
    const id = headers[MCP_HEADERS.session];
    if (id === undefined && method !== 'POST')
      throw new HttpFault(405, 'without a legacy session, the endpoint takes POST', { Allow: 'POST' });
    if (id === undefined)
      throw new HttpFault(
        400,
        'the request has no session: a legacy client begins with "initialize" and sends Mcp-Session-Id, a modern one describes itself in "_meta"',
      );
    const session = this.sessions.find(String(id), principal, connection);
    if (session === undefined)
      throw new HttpFault(404, 'there is no such session; begin a new one with "initialize"');
    const revision = headers[MCP_HEADERS.protocolVersion];
    if (revision !== undefined && (!isLegacyRevision(revision) || revision !== session.revision))
      throw new HttpFault(
        400,
        `the session speaks ${session.revision}, and MCP-Protocol-Version says otherwise`,
      );
    return session;
  }
}

/**
 * Refuses clients that do not accept both JSON and a stream, because the gateway may answer with either.
 * @throws HttpFault 406
 */
function requireAcceptable(accept: string | undefined): void {
  const types = accept ?? '*/*';
  const takes = (type: RegExp): boolean => type.test(types) || types.includes('*/*');
  if (!takes(/application\/(json|\*)/) || !takes(/text\/(event-stream|\*)/))
    throw new HttpFault(406, 'the request must accept application/json and text/event-stream');
}

/** Adds the id of the request to an error, because the error answer must name its request. */
function withId(error: unknown, message: RpcMessage): unknown {
  if (
    message.kind === 'request' &&
    typeof error === 'object' &&
    error !== null &&
    !('id' in error && error.id !== undefined)
  )
    Object.defineProperty(error, 'id', { value: message.id, configurable: true });
  return error;
}
