import { type JsonObject, isObject } from '../../../kernel/json/json';
import { META } from '../protocol/methods';
import { RPC_ERRORS } from '../protocol/rpc-errors';
import type { RpcMessage } from '../protocol/rpc-messages';
import {
  type SubscriptionFilter,
  type SubscriptionOptions,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamRequest,
} from './contract';
import { endedEarly, malformedFault } from './faults';
import type { HttpReply } from './http-way';
import { isSubscribed } from './notifications';
import { Patience } from './patience';
import type { ReplyMessages } from './reply-messages';
import type { SentRequest, SpeakerOptions } from './speaker';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Parts of the modern speaker that a subscription uses. */
interface Listening {
  readonly options: SpeakerOptions;
  send(request: UpstreamRequest, signal: AbortSignal): Promise<SentRequest>;
  messagesOf(reply: HttpReply): ReplyMessages;
  refused(reply: HttpReply, id: number): Promise<UpstreamAnswer>;
}

/**
 * Opens `subscriptions/listen`, and reads the stream in the background until either side ends it. Resolves
 * with the acknowledged filter. The filter is empty, and there is no stream, if the server does not know the
 * method.
 */
export async function listen(
  speaker: Listening,
  filter: SubscriptionFilter,
  on: SubscriptionOptions,
  closing: AbortSignal,
): Promise<SubscriptionFilter> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  on.signal.addEventListener('abort', end);
  closing.addEventListener('abort', end);
  const detach = (): void => {
    on.signal.removeEventListener('abort', end);
    closing.removeEventListener('abort', end);
  };
  if (on.signal.aborted || closing.aborted) end();
  const patience = new Patience(stop.signal, speaker.options.timeoutMs);
  try {
    const params = { notifications: written(filter) };
    const { id, reply } = await speaker.send({ method: 'subscriptions/listen', params }, patience.signal);
    const nothing = (): SubscriptionFilter => {
      patience.end();
      detach();
      reply.release();
      return {};
    };
    if (!reply.isSuccess) {
      requireUnknown(await speaker.refused(reply, id));
      return nothing();
    }
    const messages = speaker.messagesOf(reply)[Symbol.asyncIterator]();
    const acknowledged = acknowledgedOf(await messages.next(), id, filter);
    if (acknowledged === undefined) return nothing();
    // From here on, a stream without messages is no fault. The caller can still end the stream through the
    // signal with which the request was sent.
    patience.endSilence();
    const end = (): void => {
      const isAborted = stop.signal.aborted;
      patience.end();
      detach();
      reply.release();
      if (!isAborted) on.ended();
    };
    follow(messages, id, acknowledged, on)
      .catch(() => undefined)
      .then(end)
      .catch(() => undefined);
    return acknowledged;
  } catch (error) {
    const fault = patience.faultOf(error);
    stop.abort();
    detach();
    patience.end();
    throw fault;
  }
}

async function follow(
  messages: AsyncGenerator<RpcMessage, void, void>,
  id: number,
  filter: SubscriptionFilter,
  on: SubscriptionOptions,
): Promise<void> {
  for await (const message of messages) {
    if (message.kind !== 'notification') return;
    if (on.signal.aborted) return;
    if (!isSubscribed(filter, message)) continue;
    const { [META.subscriptionId]: subscription, ...meta } = metaOf(message.params);
    if (subscription !== id) continue;
    const { _meta: _, ...params } = message.params ?? {};
    await on.notify(message.method, Object.keys(meta).length === 0 ? params : { ...params, _meta: meta });
  }
}

/** Returns the acknowledged filter; undefined if the server has no subscriptions. @throws UpstreamFault */
function acknowledgedOf(
  next: IteratorResult<RpcMessage, void>,
  id: number,
  asked: SubscriptionFilter,
): SubscriptionFilter | undefined {
  if (next.done === true) throw endedEarly();
  const message = next.value;
  if (message.kind === 'error') {
    requireUnknown({ kind: 'error', error: message.error });
    return undefined;
  }
  if (
    message.kind !== 'notification' ||
    message.method !== ACKNOWLEDGED ||
    metaOf(message.params)[META.subscriptionId] !== id
  )
    throw malformedFault('to a subscription does not begin with its acknowledgment');
  const told = message.params?.['notifications'];
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = isObject(told)
    ? told
    : {};
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : [];
  return {
    ...(toolsListChanged === true && asked.tools === true ? { tools: true } : {}),
    ...(promptsListChanged === true && asked.prompts === true ? { prompts: true } : {}),
    ...(resourcesListChanged === true && asked.resources === true ? { resources: true } : {}),
    ...(asked.uris === undefined ? {} : { uris: asked.uris.filter((uri) => uris.includes(uri)) }),
  };
}

function written(filter: SubscriptionFilter): JsonObject {
  return {
    ...(filter.tools === true ? { toolsListChanged: true } : {}),
    ...(filter.prompts === true ? { promptsListChanged: true } : {}),
    ...(filter.resources === true ? { resourcesListChanged: true } : {}),
    ...(filter.uris === undefined || filter.uris.length === 0
      ? {}
      : { resourceSubscriptions: [...filter.uris] }),
  };
}

/** Accepts only the refusal of a server without subscriptions. @throws UpstreamFault for any other answer */
function requireUnknown(answer: UpstreamAnswer): void {
  if (answer.kind !== 'error' || answer.error.code !== RPC_ERRORS.methodNotFound)
    throw new UpstreamFault('refused', 'The MCP server refuses the subscription.', { isAnswer: true });
}

function metaOf(params: JsonObject | undefined): JsonObject {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta : {};
}
