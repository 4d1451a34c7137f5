import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JsonNumber, type JsonObject } from '../../../kernel/json/json';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import {
  RpcFault,
  type RpcMessage,
  type RpcRequest,
  idKey,
  rpcError as rpcErrorMessage,
  rpcResult,
} from '../../../targets/mcp/protocol/rpc-messages';
import { WorkerLinks } from '../../kit/worker-links';
import type { HttpAnswer } from '../http/answer';
import type { SignedArrival } from '../http/arrival';
import { discoverServer, initializeResult, readInitialize } from './initialize';
import { LazyStream } from './lazy-stream';
import { answerMessage, listenToChanges } from './legacy-requests';
import { LegacyClientSession } from './legacy-session';
import { LegacySessions } from './legacy-sessions';
import { RequestStates } from '../states/request-states';
import type { VisitOpener } from '../visits/served-visit';
import { Visits } from '../visits/visits';

/** Serves clients of the legacy era, whose sessions begin with `initialize`. */
@Injectable()
export class LegacyClients {
  constructor(
    @Inject(Visits) private readonly visits: VisitOpener,
    private readonly sessions: LegacySessions,
    private readonly states: RequestStates,
    private readonly links: WorkerLinks,
  ) {}

  /** Begins a session. @throws RpcFault; AppError like `Visits.enter` */
  async initialize({ id, params = {} }: RpcRequest, arrival: SignedArrival, http: HttpAnswer): Promise<void> {
    const { client, revision } = readInitialize(params, id);
    const visit = await this.visits.enter({ ...arrival, client }, () => undefined);
    const sessionId = this.links.named(randomBytes(32).toString('base64url'));
    const session = new LegacyClientSession(
      sessionId,
      arrival.principal,
      visit,
      revision,
      client,
      this.sessions.memory,
    );
    await visit.use(async () => {
      const answer = await discoverServer(visit, arrival, http);
      if (answer.kind !== 'result') {
        await http.end(answer.kind === 'error' ? rpcErrorMessage(id, answer.error) : {});
        return void visit.close(1, 'The server could not be asked what it offers.');
      }
      this.sessions.add(session);
      const result = initializeResult(session, answer.result);
      await http.end(rpcResult(id, result), 200, { 'Mcp-Session-Id': session.id });
    });
  }

  /** Handles a message of a session, or a batch of messages. */
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
      else if (message.kind === 'notification') await notified(message.method, message.params, session);
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
          const message = await answerMessage(request, session, stream, this.states);
          if (message === undefined) return [];
          if (stream.isOpen) await stream.log.send(message);
          else unsent.add(message);
          return [message];
        }),
      ).catch((error: unknown) => {
        stream.drop();
        throw error;
      });
      if (!stream.isOpen) return endAnswers(answers.flat(), isBatch, http);
      // Sends the answers that were ready before another request opened the stream.
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
      // Keeps the open subscription to the server, because events would be lost until a new one is open.
      listenToChanges(session);
    } else if (session.stream(lastEventId.stream)?.isSpent(lastEventId.at) === true) {
      // Some clients resume the stream of a request that they cancelled. After any status but 204, they would
      // retry.
      return http.close(204);
    } else if (!((await session.stream(lastEventId.stream)?.resume(http, lastEventId.at)) ?? false)) {
      throw new RpcFault(RPC_ERRORS.invalidRequest, 'the stream of Last-Event-ID cannot be resumed any more');
    }
    const { closed } = http;
    const { visit } = session;
    await visit.streaming(
      () =>
        new Promise<void>((resolve) => {
          if (closed.aborted) resolve();
          closed.addEventListener('abort', () => resolve(), { once: true });
          visit.ended.addEventListener('abort', () => resolve(), { once: true, signal: closed });
        }),
    );
  }
}

/**
 * Sends the answers. If there are none, sends a stream without a message, because clients would treat any
 * other status as an error.
 */
function endAnswers(
  answers: readonly JsonObject[],
  isBatch: boolean,
  http: HttpAnswer,
): void | Promise<void> {
  const [first] = answers;
  if (first !== undefined) return http.end(isBatch ? answers : first);
  http.open();
  http.close();
}

/**
 * Handles a notification. Resolves when the server has received it, so that the server gets later messages
 * after it.
 */
async function notified(
  method: string,
  params: JsonObject | undefined,
  session: LegacyClientSession,
): Promise<void> {
  if (method === 'notifications/roots/list_changed')
    return session.visit.use(() => session.visit.rootsChanged());
  const id = params?.['requestId'];
  const isId = typeof id === 'string' || typeof id === 'number' || id instanceof JsonNumber;
  if (method !== 'notifications/cancelled' || !isId) return;
  session.inFlight.cancel(id);
}

/** Refuses an id that another unanswered request already has. @throws RpcFault */
function requireNewIds(requests: readonly RpcRequest[], session: LegacyClientSession): void {
  const seen = new Set<string>();
  for (const { id } of requests) {
    const key = idKey(id);
    if (seen.has(key) || session.inFlight.has(id))
      throw new RpcFault(RPC_ERRORS.invalidRequest, 'a request with this id is being answered', id);
    seen.add(key);
  }
}
