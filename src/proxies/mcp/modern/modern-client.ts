import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { type JsonObject, isObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { traceparentIn } from '../../../kernel/runtime/trace-context';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import {
  type RpcId,
  type RpcRequest,
  rpcError as rpcErrorMessage,
  rpcNotification,
  rpcResult,
} from '../../../targets/mcp/protocol/rpc-messages';
import type { UpstreamAnswer, UpstreamRequest } from '../../../targets/mcp/upstream';
import type { HttpAnswer } from '../http/answer';
import type { SignedArrival } from '../http/arrival';
import { headerDisagreement } from '../http/header-disagreement';
import { withServersCursor } from '../states/cursors';
import type { RequestingClient } from '../client/requesting-client';
import type { ListWalk } from '../lists/list-walk';
import { missingCapabilities } from '../http/missing-capabilities';
import { type ModernRequest, modernRequest } from '../http/modern-request';
import { type CarriedState, RequestStates, type StateOwner } from '../states/request-states';
import type { ServedVisit, VisitOpener } from '../visits/served-visit';
import { hasAccepted, opensUrls } from '../client/url-elicitation';
import { Visits } from '../visits/visits';
import { PAGE, sealedAnswer } from './modern-answer';
import { streamChanges } from './stream-changes';

/** HTTP statuses of error answers (2026-07-28, streamable HTTP). All other answers have status 200. */
const STATUSES: Readonly<Record<number, number>> = {
  [RPC_ERRORS.headerMismatch]: 400,
  [RPC_ERRORS.missingClientCapability]: 400,
  [RPC_ERRORS.unsupportedVersion]: 400,
  [RPC_ERRORS.methodNotFound]: 404,
};

/** Serves clients of the modern era: each request gets one answer and does not depend on earlier requests. */
@Injectable()
export class ModernClients {
  constructor(
    @Inject(Visits) private readonly visits: VisitOpener,
    private readonly states: RequestStates,
  ) {}

  /** Answers a request. @throws ModernFault; AppError like `Visits.enter` */
  async serve(
    message: RpcRequest,
    headers: IncomingHttpHeaders,
    arrival: SignedArrival,
    http: HttpAnswer,
  ): Promise<void> {
    const request = modernRequest(message, headers);
    const meta = request.params['_meta'];
    const traceparent = arrival.traceparent ?? (isObject(meta) ? traceparentIn(meta) : undefined);
    const visit = await this.visits.ofModernClient({ ...arrival, client: request.client, traceparent });
    const owner: StateOwner = {
      principal: arrival.principal,
      connectionId: visit.session.target.id,
      method: request.method,
      params: request.params,
    };
    // A gateway that stops does not wait for the end of a subscription, so the subscription does not count as
    // work.
    if (request.method === 'subscriptions/listen') {
      try {
        return await visit.streaming(() => streamChanges(message.id, request, visit, http));
      } finally {
        await visit.used();
      }
    }
    await visit.use(async () => {
      const answer = await this.ask(request, owner, visit, arrival, headers, http);
      return reply(message.id, answer, http);
    });
  }

  private async ask(
    request: ModernRequest,
    owner: StateOwner,
    visit: ServedVisit,
    arrival: SignedArrival,
    headers: IncomingHttpHeaders,
    http: HttpAnswer,
  ): Promise<UpstreamAnswer> {
    const { requestState } = request;
    const carried =
      requestState === undefined ? undefined : await this.states.open(owner, requestState, 'state');
    const { params, walk } = await withServersCursor(this.states, owner);
    const asked = upstreamRequest(request, params, carried);
    const client = requestingClient(request, arrival, headers, http, walk, carried?.page);
    const resumes = carried?.sessionId === visit.session.id ? carried.serial : undefined;
    const { answer, serial } = await visit.relay.request(asked, client, resumes);
    return sealedAnswer(this.states, owner, answer, { serial, sessionId: visit.session.id }, walk);
  }
}

/** Returns the request for the server. Adds the client's input if the server requested it. */
function upstreamRequest(
  { method, inputResponses, logLevel }: ModernRequest,
  params: JsonObject,
  carried: CarriedState | undefined,
): UpstreamRequest {
  const log = logLevel === undefined ? {} : { logLevel };
  // Sends a new request and not a continuation, because the client responded to a page of the gateway, and
  // this response is not input for the server.
  if (carried === undefined || carried.page !== undefined) return { method, params, ...log };
  const { state } = carried;
  const continuation = { responses: inputResponses ?? {}, ...(state === undefined ? {} : { state }) };
  return { method, params, ...log, continuation };
}

/** @param page id of the page that the gateway's earlier answer asked the client to open, if any */
function requestingClient(
  { client: { capabilities }, inputResponses }: ModernRequest,
  arrival: SignedArrival,
  headers: IncomingHttpHeaders,
  http: HttpAnswer,
  walk: ListWalk,
  page: string | undefined,
): RequestingClient {
  return {
    arrival,
    signal: http.left,
    walk,
    notify: (name, params) => http.send(rpcNotification(name, params)),
    holding: () => http.open(),
    disagreement: (tool, args) => headerDisagreement(tool.headers, args, headers),
    unable: (asked) => missingCapabilities(asked, capabilities),
    pages: opensUrls(capabilities) ? { kind: 'by answer' } : undefined,
    opened: page === undefined ? undefined : { id: page, isAgreed: hasAccepted(inputResponses?.[PAGE]) },
  };
}

function reply(id: RpcId, answer: UpstreamAnswer, http: HttpAnswer): MaybePromise<void> {
  if (answer.kind === 'result') return http.end(rpcResult(id, answer.result));
  if (answer.kind === 'error')
    return http.end(rpcErrorMessage(id, answer.error), STATUSES[answer.error.code] ?? 200);
  throw new Error('requests for input are results of this era');
}
