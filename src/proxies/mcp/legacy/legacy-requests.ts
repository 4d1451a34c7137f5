import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Json, type JsonObject, emptyObject, isObject } from '../../../kernel/json/json';
import { knownParams } from '../../../targets/mcp/protocol/known-members';
import { LOG_LEVELS, foreignMeta } from '../../../targets/mcp/protocol/methods';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import {
  RpcFault,
  type RpcRequest,
  rpcError as rpcErrorMessage,
  rpcNotification,
  rpcResult,
} from '../../../targets/mcp/protocol/rpc-messages';
import type { Continuation, InputRequest, UpstreamAnswer } from '../../../targets/mcp/upstream';
import { MAX_URIS } from '../modern/change-filter';
import { withSealedCursor, withServersCursor } from '../states/cursors';
import type { LazyStream } from './lazy-stream';
import type { ListWalk } from '../lists/list-walk';
import type { LegacyClientSession } from './legacy-session';
import { isList } from '../lists/list-items';
import { missingCapabilities } from '../http/missing-capabilities';
import { GATEWAY_ERRORS, errorAnswer } from '../http/refusals';
import type { RequestStates, StateOwner } from '../states/request-states';
import type { ClientPages, RequestingClient } from '../client/requesting-client';
import { INPUT_MS } from '../states/unfinished-requests';
import {
  ELICITATION_COMPLETE,
  elicitationComplete,
  hasAccepted,
  legacyElicitation,
  opensUrls,
  urlElicitationRequired,
} from '../client/url-elicitation';

const log = new Logger('LegacyRequests');

/** Maximum number of times that a server may request input for one request. */
const MAX_ROUNDS = 16;
/**
 * Pause in milliseconds before the request is repeated, if the server gave neither a result nor requests for
 * input. Multiplied by the number of attempts so far.
 */
const PAUSE_MS = 250;

/** Methods that are forwarded to the server. */
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

/**
 * Answers one request of a session. Returns undefined if its client cancelled the request or left, because
 * then no answer must be sent (2025-11-25, "Cancellation").
 */
export async function answerMessage(
  request: RpcRequest,
  session: LegacyClientSession,
  stream: LazyStream,
  states: RequestStates,
): Promise<JsonObject | undefined> {
  const flight = session.inFlight.begin(request.id);
  const answer = await answered(request, session, stream, states, flight.signal)
    .catch(faultAnswer)
    .finally(() => flight.end());
  if (flight.isUnwanted) return undefined;
  if (answer.kind === 'result') return rpcResult(request.id, shown(request.method, answer.result));
  if (answer.kind === 'error') return rpcErrorMessage(request.id, answer.error);
  throw new Error('requests for input are put to the client first');
}

async function answered(
  request: RpcRequest,
  session: LegacyClientSession,
  stream: LazyStream,
  states: RequestStates,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { method } = request;
  const params = knownParams(method, request.params ?? {});
  switch (method) {
    case 'ping':
      return { kind: 'result', result: {} };
    case 'logging/setLevel':
      return setLevel(params['level'], session);
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return subscribe(method, params['uri'], session);
  }
  if (!PASSED.has(method)) return errorAnswer(RPC_ERRORS.methodNotFound, `Method not found: ${method}`);
  // Removes the members for input, because legacy clients send input in separate messages.
  const { _meta, inputResponses: _responses, requestState: _state, ...rest } = params;
  const owner: StateOwner = {
    principal: session.principal,
    connectionId: session.visit.session.target.id,
    method,
    params: rest,
  };
  const { params: asked, walk } = await withServersCursor(states, owner);
  const given = { ...asked, ...(_meta === undefined ? {} : { _meta }) };
  await session.subscription.opened();
  const answer = await passed(method, given, session, stream, signal, walk);
  if (answer.kind !== 'result') return answer;
  return { kind: 'result', result: await withSealedCursor(states, owner, answer.result, walk) };
}

/**
 * Converts a fault to an error answer to its request, so that other requests of a batch are still answered.
 */
function faultAnswer(error: unknown): UpstreamAnswer {
  if (error instanceof RpcFault) return errorAnswer(error.code, error.message);
  throw error;
}

/**
 * Forwards the client's request to the server, and the server's input requests to the client, until the
 * server gives a result.
 */
async function passed(
  method: string,
  { _meta, ...params }: JsonObject,
  session: LegacyClientSession,
  stream: LazyStream,
  signal: AbortSignal,
  walk: ListWalk,
): Promise<UpstreamAnswer> {
  const { relay } = session.visit;
  const meta = foreignMeta(_meta);
  const given: JsonObject = meta === undefined ? params : { ...params, _meta: meta };
  const client = requestingClient(session, stream, signal, walk);
  let continuation: Continuation | undefined;
  let resumes: number | undefined;
  let rounds = 0;
  for (;;) {
    const request = { method, params: given, logLevel: session.wantedLogLevel, continuation };
    const { answer, serial } = await relay.request(request, client, resumes);
    if (answer.kind === 'page') {
      const { elicitation } = answer;
      session.opens(elicitation);
      return { kind: 'error', error: urlElicitationRequired(elicitation.message, [elicitation]) };
    }
    if (answer.kind !== 'input') return answer;
    rounds += 1;
    const responses = await clientInput(answer.requests, rounds, session, stream, signal);
    if (typeof responses === 'string') {
      await relay.abandon(serial, responses);
      return errorAnswer(GATEWAY_ERRORS.refused, responses);
    }
    continuation = { responses, state: answer.state };
    resumes = serial;
  }
}

function requestingClient(
  session: LegacyClientSession,
  stream: LazyStream,
  signal: AbortSignal,
  walk: ListWalk,
): RequestingClient {
  return {
    arrival: stream.arrival,
    signal,
    walk,
    notify: async (name, told) => (await stream.opened()).send(rpcNotification(name, told)),
    holding: () => void stream.opened(),
    unable: (asked) => {
      const missing = missingCapabilities(asked, session.client.capabilities);
      return missing && { code: GATEWAY_ERRORS.refused, message: missing.message };
    },
    pages: pagesOf(session, stream),
  };
}

/**
 * Sends the server's requests for input to the client. Returns the input, or the reason why there is none.
 */
async function clientInput(
  requests: Readonly<Record<string, InputRequest>>,
  round: number,
  session: LegacyClientSession,
  stream: LazyStream,
  signal: AbortSignal,
): Promise<JsonObject | string> {
  if (round > MAX_ROUNDS) return `The server asked for input more than ${MAX_ROUNDS} times.`;
  const responses = emptyObject();
  const asking = AbortSignal.any([signal, AbortSignal.timeout(INPUT_MS)]);
  if (Object.keys(requests).length === 0)
    await delay(round * PAUSE_MS, undefined, { signal: asking }).catch(() => undefined);
  for (const [key, { method, params }] of Object.entries(requests)) {
    const response = await session.ask(await stream.opened(), method, params, asking);
    if (response === undefined)
      return signal.aborted ? 'The request was cancelled.' : 'The client gave no input in time.';
    responses[key] = response.kind === 'result' ? response.result : { error: response.error };
  }
  return responses;
}

/**
 * Returns the functions that request the client to open web pages; undefined if the client cannot open them.
 * Only 2025-11-25 supports this.
 */
function pagesOf(session: LegacyClientSession, stream: LazyStream): ClientPages | undefined {
  if (session.revision !== '2025-11-25' || !opensUrls(session.client.capabilities)) return undefined;
  return {
    kind: 'on stream',
    ask: async (elicitation, signal) => {
      const { method, params } = legacyElicitation(elicitation);
      const response = await session.ask(await stream.opened(), method, params, signal);
      return response?.kind === 'result' ? hasAccepted(response.result) : undefined;
    },
    complete: async (elicitation) => {
      const message = rpcNotification(ELICITATION_COMPLETE, elicitationComplete(elicitation));
      await session.visit
        .record(message)
        .then(async () => (await stream.opened()).send(message))
        .catch((error: unknown) => log.debug({ err: error }, 'A client was not told of a completed page'));
    },
  };
}

function subscribe(method: string, uri: Json | undefined, session: LegacyClientSession): UpstreamAnswer {
  if (typeof uri !== 'string') return errorAnswer(RPC_ERRORS.invalidParams, '"uri" is not a string');
  const { subscription } = session;
  if (method === 'resources/unsubscribe') subscription.unsubscribe(uri);
  else if (subscription.has(uri) || subscription.size < MAX_URIS) subscription.subscribe(uri);
  else return errorAnswer(RPC_ERRORS.invalidParams, `a session subscribes to at most ${MAX_URIS} resources`);
  return { kind: 'result', result: {} };
}

/** Receives the changes that the session subscribed to, until the session ends. */
export function listenToChanges({ subscription }: LegacyClientSession): void {
  if (!subscription.isOpen) subscription.begin();
}

/** Stores the log level. The server gets it with the next request; log messages below it are left out. */
function setLevel(level: Json | undefined, session: LegacyClientSession): UpstreamAnswer {
  if (!isObject(session.offered['logging']))
    return errorAnswer(RPC_ERRORS.methodNotFound, 'Method not found: logging/setLevel');
  if (typeof level !== 'string' || !(LOG_LEVELS as readonly string[]).includes(level))
    return errorAnswer(RPC_ERRORS.invalidParams, '"level" is not a log level');
  session.logLevel = level;
  return { kind: 'result', result: {} };
}

/** Returns the result without the members that only modern clients know. */
function shown(method: string, result: JsonObject): JsonObject {
  const { resultType, ...rest } = result;
  if (resultType !== undefined && resultType !== 'complete') return result;
  if (!isList(method) && method !== 'resources/read') return rest;
  const { ttlMs: _ttl, cacheScope: _scope, ...legacy } = rest;
  return legacy;
}
