import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { traceparentIn } from '../../../kernel/runtime/trace-context';
import { MCP_HEADERS, decodeHeaderValue } from '../../../targets/mcp/protocol/header-values';
import { META } from '../../../targets/mcp/protocol/methods';
import { headerParameterValues } from '../../../targets/mcp/protocol/param-headers';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../../targets/mcp/protocol/revisions';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import {
  type RpcId,
  type RpcRequest,
  rpcError as rpcErrorMessage,
  rpcNotification,
  rpcResult,
} from '../../../targets/mcp/protocol/rpc-messages';
import type { SubscriptionFilter, UpstreamAnswer, UpstreamRequest } from '../../../targets/mcp/upstream';
import type { HttpAnswer } from '../http/answer';
import type { SignedArrival } from '../http/arrival';
import { changeFilter, shownFilter } from './change-filter';
import { withSealedCursor, withServersCursor } from '../states/cursors';
import type { ClientAnswer } from '../client/client-answer';
import type { RequestingClient } from '../client/requesting-client';
import type { ListWalk } from '../lists/list-walk';
import { isList } from '../lists/list-items';
import { missingCapabilities } from '../http/missing-capabilities';
import { type ModernRequest, modernRequest } from '../http/modern-request';
import { RequestStates, type StateOwner } from '../states/request-states';
import type { ServedVisit, VisitOpener } from '../visits/served-visit';
import type { OfferedTool } from '../lists/tool-directory';
import { hasAccepted, modernElicitation, opensUrls } from '../client/url-elicitation';
import { Visits } from '../visits/visits';

/** HTTP status of an error answer (2026-07-28, streamable HTTP); all others are 200. */
const STATUSES: Readonly<Record<number, number>> = {
  [RPC_ERRORS.headerMismatch]: 400,
  [RPC_ERRORS.missingClientCapability]: 400,
  [RPC_ERRORS.unsupportedVersion]: 400,
  [RPC_ERRORS.methodNotFound]: 404,
};

/** Key of the gateway's own request for input, and of the response to it. */
const PAGE = 'page';

/**
 * Results that say how long they may be cached: here, not at all, because they
 * depend on who asks and on the policy.
 */
const CACHEABLE: ReadonlySet<string> = new Set(['server/discover', 'resources/read']);
const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' } as const;

/** Serves clients of the modern era: one request, one answer, and nothing is known from before. */
@Injectable()
export class ModernClients {
  constructor(
    @Inject(Visits) private readonly visits: VisitOpener,
    private readonly states: RequestStates,
  ) {}

  /**
   * Answers a request.
   * @throws ModernFault; AppError as `Visits.enter` does
   */
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
    // A subscription is no work: the gateway does not wait for its end when it stops.
    if (request.method === 'subscriptions/listen') {
      try {
        return await visit.streaming(() => this.listen(message.id, request, visit, http));
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
    const { method, inputResponses, requestState, logLevel } = request;
    const carried =
      requestState === undefined ? undefined : await this.states.open(owner, requestState, 'state');
    const page = carried?.page;
    const { params, walk } = await withServersCursor(this.states, owner);
    const upstreamRequest: UpstreamRequest = {
      method,
      params,
      ...(logLevel === undefined ? {} : { logLevel }),
      ...(carried === undefined || page !== undefined
        ? {}
        : {
            continuation: {
              responses: inputResponses ?? {},
              ...(carried.state === undefined ? {} : { state: carried.state }),
            },
          }),
    };
    const client: RequestingClient = {
      arrival,
      signal: http.left,
      walk,
      notify: (name, params) => http.send(rpcNotification(name, params)),
      holding: () => http.open(),
      disagreement: (tool, args) => disagreement(tool, args, headers),
      unable: (asked) => missingCapabilities(asked, request.client.capabilities),
      pages: opensUrls(request.client.capabilities) ? { kind: 'by answer' } : undefined,
      opened: page === undefined ? undefined : { id: page, isAgreed: hasAccepted(inputResponses?.[PAGE]) },
    };
    const resumes = carried?.sessionId === visit.session.id ? carried.serial : undefined;
    const { answer, serial } = await visit.interactions.request(upstreamRequest, client, resumes);
    return this.sealed(answer, request, owner, visit, serial, walk);
  }

  /** The answer as a modern client gets it. */
  private async sealed(
    answer: ClientAnswer,
    { method }: ModernRequest,
    owner: StateOwner,
    visit: ServedVisit,
    serial: number,
    walk: ListWalk,
  ): Promise<UpstreamAnswer> {
    switch (answer.kind) {
      case 'error':
        return answer.error.code === RPC_ERRORS.resourceNotFound
          ? { kind: 'error', error: { ...answer.error, code: RPC_ERRORS.invalidParams } }
          : answer;
      case 'input': {
        const carried = { state: answer.state, serial, sessionId: visit.session.id };
        const requestState = await this.states.seal(owner, carried, 'state');
        const inputRequests: JsonObject = {};
        for (const [key, { method: asked, params }] of Object.entries(answer.requests))
          inputRequests[key] = { method: asked, ...(params === undefined ? {} : { params }) };
        return { kind: 'result', result: { resultType: 'input_required', inputRequests, requestState } };
      }
      case 'page': {
        const { elicitation } = answer;
        const requestState = await this.states.seal(
          owner,
          { state: undefined, page: elicitation.id },
          'state',
        );
        const inputRequests: JsonObject = { [PAGE]: { ...modernElicitation(elicitation) } };
        return { kind: 'result', result: { resultType: 'input_required', inputRequests, requestState } };
      }
      case 'result': {
        const result: JsonObject = {
          ...answer.result,
          resultType: answer.result['resultType'] ?? 'complete',
        };
        if (method === 'server/discover') Object.assign(result, discovered(answer.result));
        if (isList(method) || CACHEABLE.has(method)) Object.assign(result, NOT_CACHED);
        return { kind: 'result', result: await withSealedCursor(this.states, owner, result, walk) };
      }
    }
  }

  private async listen(
    id: RpcId,
    request: ModernRequest,
    visit: ServedVisit,
    http: HttpAnswer,
  ): Promise<void> {
    const wanted = changeFilter(request.params['notifications']);
    const subscriptionId = id as Json;
    const tagged = (params: JsonObject): JsonObject => ({
      ...params,
      _meta: { ...(isObject(params['_meta']) ? params['_meta'] : {}), [META.subscriptionId]: subscriptionId },
    });
    const end = (): void =>
      void http.end(
        rpcResult(id, { resultType: 'complete', _meta: { [META.subscriptionId]: subscriptionId } }),
      );
    const left = http.left;
    await new Promise<void>((resolve, reject) => {
      left.addEventListener('abort', () => resolve(), { once: true });
      visit.ended.addEventListener('abort', () => (http.hangUpAfterwards(), end(), resolve()), {
        once: true,
        signal: http.closed,
      });
      let isAcknowledged = false;
      const early: [string, JsonObject][] = [];
      const send = (method: string, params: JsonObject): Promise<void> =>
        http.send(rpcNotification(method, tagged(params)));
      const acknowledge = async (filter: SubscriptionFilter): Promise<void> => {
        await send('notifications/subscriptions/acknowledged', {
          notifications: shownFilter(wanted, filter),
        });
        isAcknowledged = true;
        for (const [method, params] of early) await send(method, params);
      };
      visit
        .listen(wanted, {
          signal: left,
          notify: async (method, params) => {
            if (isAcknowledged) await send(method, params);
            else early.push([method, params]);
          },
          ended: () => (end(), resolve()),
        })
        .then(acknowledge)
        .catch(reject);
    });
  }
}

function reply(id: RpcId, answer: UpstreamAnswer, http: HttpAnswer): MaybePromise<void> {
  if (answer.kind === 'result') return http.end(rpcResult(id, answer.result));
  if (answer.kind === 'error')
    return http.end(rpcErrorMessage(id, answer.error), STATUSES[answer.error.code] ?? 200);
  throw new Error('requests for input are results of this era');
}

/** What `server/discover` answers. */
function discovered(server: JsonObject): JsonObject {
  const { serverInfo, _meta } = server;
  return {
    supportedVersions: [...MODERN_REVISIONS, ...LEGACY_REVISIONS],
    ...(serverInfo === undefined
      ? {}
      : { _meta: { ...(isObject(_meta) ? _meta : {}), [META.serverInfo]: serverInfo } }),
  };
}

/**
 * 2026-07-28, streamable HTTP, "Server Behavior for Custom Headers". Headers of parameters that the schema
 * does not name are ignored.
 */
function disagreement(tool: OfferedTool, args: Json, headers: IncomingHttpHeaders): string | undefined {
  const values = headerParameterValues(tool.headers, args);
  for (const { name } of tool.headers) {
    const header = headers[`${MCP_HEADERS.paramPrefix}${name.toLowerCase()}`];
    const value = values[name];
    if (header === undefined && value === undefined) continue;
    if (typeof header !== 'string') return `Header mismatch: the header Mcp-Param-${name} is missing`;
    const said = decodeHeaderValue(header);
    if (said === undefined) return `Header mismatch: the header Mcp-Param-${name} is malformed`;
    if (said !== value && !areSameNumbers(said, value))
      return `Header mismatch: the header Mcp-Param-${name} does not match the body`;
  }
  return undefined;
}

/** The specification compares integers as numbers: `42.0` is `42`. */
function areSameNumbers(said: string, value: string | undefined): boolean {
  const decimal = /^-?\d{1,15}(\.0*)?$/;
  return value !== undefined && decimal.test(said) && decimal.test(value) && Number(said) === Number(value);
}
