import { collected } from '../../../kernel/async/collected';
import { JsonFault, readJson } from '../../../kernel/json/json';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { type RpcMessage, RpcFault, type RpcResponse, classifyMessage } from '../protocol/rpc-messages';
import { SseReader, SseTooLarge } from '../protocol/sse-reader';
import { UpstreamFault } from './contract';
import { lostFault, malformedFault, tooLargeFault } from './faults';
import type { HttpReply } from './http-way';

const ERROR_BYTES = 64 * 1024;
/** Form of a media type that an error message may show. */
const SHOWN_TYPE = /^[\w.+-]{1,40}\/[\w.+-]{1,40}$/;

/** The messages of one answer (JSON or an event stream). Reads each after the previous one was handled. */
export class ReplyMessages {
  /** Reader of an event stream; undefined for JSON. */
  readonly events: SseReader | undefined;

  /** @throws UpstreamFault for a media type that is neither JSON nor an event stream */
  constructor(
    private readonly reply: HttpReply,
    private readonly limits: { readonly maxBytes: number; readonly hasBatches: boolean },
  ) {
    const type = reply.mediaType;
    if (type === 'text/event-stream') this.events = new SseReader(limits.maxBytes);
    else if (type !== 'application/json') {
      reply.release();
      throw malformedFault(
        `is neither JSON nor a stream of events${SHOWN_TYPE.test(type) ? ` but ${type}` : ''}`,
      );
    }
  }

  /** Yields messages until the end of the answer. @throws UpstreamFault */
  async *[Symbol.asyncIterator](): AsyncGenerator<RpcMessage, void, void> {
    try {
      if (this.events === undefined)
        for (const message of await this.read(await bodyOf(this.reply, this.limits.maxBytes))) yield message;
      else
        for await (const event of eventsOf(this.reply, this.events)) {
          // MCP uses only events of the name `message`. An event without data only sets the id (2025-11-25,
          // "Sending Messages to the Server").
          if (event.event === 'message' && event.data.length > 0)
            for (const message of await this.read(event.data)) yield message;
        }
    } catch (error) {
      throw readFault(error, this.limits.maxBytes);
    } finally {
      this.reply.release();
    }
  }

  private read(bytes: Buffer): MaybePromise<RpcMessage[]> {
    return thenMaybe(readJson(bytes), (json) =>
      Array.isArray(json) && this.limits.hasBatches ? json.map(classifyMessage) : [classifyMessage(json)],
    );
  }
}

/** Yields the events of a stream as they arrive. Does not convert errors of the stream. */
export async function* eventsOf(
  reply: HttpReply,
  reader: SseReader,
): AsyncGenerator<{ event: string; data: Buffer }, void, void> {
  for await (const chunk of reply.body.iterator({ destroyOnReturn: false }))
    yield* reader.push(chunk as Buffer);
}

/**
 * Returns the JSON-RPC error in the body of a status that is not a success; undefined if there is none. Does
 * not read the body of 401 and 403, because the status is enough.
 */
export async function refusalOf(reply: HttpReply): Promise<RpcResponse | undefined> {
  try {
    if (reply.mediaType !== 'application/json' || reply.status === 401 || reply.status === 403)
      return undefined;
    const message = classifyMessage(await readJson(await bodyOf(reply, ERROR_BYTES)));
    return message.kind === 'error' ? message : undefined;
  } catch {
    return undefined;
  } finally {
    reply.release();
  }
}

async function bodyOf(reply: HttpReply, maxBytes: number): Promise<Buffer> {
  const bytes = await collected(reply.body, maxBytes);
  if (bytes === undefined) throw tooLargeFault(maxBytes);
  return bytes;
}

export function readFault(error: unknown, maxBytes: number): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof JsonFault) return malformedFault(error.message, error);
  if (error instanceof RpcFault)
    return malformedFault(`is no message of the protocol: ${error.message}`, error);
  if (error instanceof SseTooLarge) return tooLargeFault(maxBytes);
  const code = (error as { code?: unknown } | null)?.code;
  if (
    typeof code === 'string' &&
    (code.startsWith('Z_') ||
      (code.startsWith('ERR_') && code.includes('PADDING')) ||
      code.startsWith('ERR__ERROR_'))
  )
    return malformedFault('is not compressed as its header says', error);
  return lostFault('The answer of the MCP server broke off', error);
}
