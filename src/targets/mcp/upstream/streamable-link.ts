import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, writeJson } from '../../../kernel/json/json';
import { MCP_HEADERS } from '../protocol/header-values';
import type { LegacyRevision } from '../protocol/revisions';
import { isModernErrorCode } from '../protocol/rpc-errors';
import type { SseReader } from '../protocol/sse-reader';
import { UpstreamFault, type UpstreamFaultReason } from './contract';
import { lostFault, malformedFault, sentBefore } from './faults';
import type { HttpReply, HttpWay } from './http-way';
import type { LegacyCall } from './legacy-call';
import { type LegacyLink, type LegacyReceiver, SessionGone } from './legacy-link';
import { ReplyMessages, refusalOf } from './reply-messages';
import { EraMismatch } from './speaker';

/** Maximum time of the request that ends the session when the gateway closes it. */
const GOODBYE_MS = 2_000;
/**
 * Wait before a stream is resumed, if the server set none. The next two constants limit the waits that
 * servers set.
 */
const RETRY_MS = 1_000;
const SHORTEST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 30_000;
/** Maximum number of resumptions of a stream without a message in between. */
const MOST_RESUMPTIONS = 5;
/** Faults after which the stream for messages outside of requests is opened again. */
const PASSING: ReadonlySet<UpstreamFaultReason> = new Set(['lost', 'unreachable', 'internal']);
const VISIBLE_ASCII = /^[\x21-\x7e]{1,1024}$/;

/** Streamable HTTP of the revisions 2025-03-26 to 2025-11-25. */
export class StreamableLink implements LegacyLink {
  private session: string | undefined;
  private revision: LegacyRevision | undefined;
  private readonly closing = new AbortController();
  private listening: Promise<boolean> | undefined;

  constructor(
    private readonly way: HttpWay,
    private readonly maxBytes: number,
    private readonly receiver: LegacyReceiver,
  ) {}

  get hasSession(): boolean {
    return this.session !== undefined;
  }

  negotiated(revision: LegacyRevision): void {
    this.revision = revision;
  }

  async request(message: JsonObject, call: LegacyCall): Promise<void> {
    const { method, traceparent } = call.request;
    const reply = await this.way.send(
      {
        method: 'POST',
        headers: { ...this.postHeaders(), ...(traceparent === undefined ? {} : { traceparent }) },
        body: writeJson(message),
        isRepeatable: method !== 'tools/call',
      },
      call.controller.signal,
    );
    if (!reply.isSuccess) return this.refused(reply, call);
    if (method === 'initialize') this.session = sessionOf(reply);
    await this.readCall(reply, call);
  }

  async send(message: JsonObject, signal: AbortSignal): Promise<void> {
    const reply = await this.way.send(
      { method: 'POST', headers: this.postHeaders(), body: writeJson(message) },
      signal,
    );
    reply.release();
    if (reply.isSuccess) return;
    if (reply.status === 404 && this.session !== undefined) throw new SessionGone();
    throw reply.statusFault();
  }

  listen(): Promise<boolean> {
    return (this.listening ??= new Promise((resolve) => {
      const end = (): void => resolve(false);
      this.keepListening(resolve).then(end, end);
    }));
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    if (this.session === undefined) return;
    try {
      const signal = AbortSignal.timeout(GOODBYE_MS);
      (await this.way.send({ method: 'DELETE', headers: this.sessionHeaders() }, signal)).release();
    } catch {
      // Ignored, because the server ends the session after a time without requests.
    }
  }

  /** Reads the answer of a call, and resumes it where it broke off, if the server allows that. */
  private async readCall(reply: HttpReply, call: LegacyCall): Promise<void> {
    let from = reply;
    let resumptions = 0;
    let lastEventId: string | undefined;
    let retryMs: number | undefined;
    for (;;) {
      const messages = this.messagesOf(from);
      let broken: unknown;
      try {
        for await (const message of messages) {
          resumptions = 0;
          await this.receiver.receive(message, call);
          if (call.isOver) return;
          await call.room();
        }
      } catch (error) {
        if (!(error instanceof UpstreamFault && error.reason === 'lost')) throw error;
        broken = error;
      }
      lastEventId = messages.events?.lastEventId || lastEventId;
      retryMs = messages.events?.retryMs ?? retryMs;
      const isResumable = lastEventId !== undefined && resumptions < MOST_RESUMPTIONS;
      if (!isResumable || call.controller.signal.aborted)
        throw broken ?? lostFault('The MCP server ended its answer before it was complete');
      resumptions += 1;
      await pause(waitFor(retryMs), undefined, { signal: call.controller.signal });
      from = await this.resume(lastEventId, call.controller.signal);
    }
  }

  private async resume(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpReply> {
    const reply = await this.openStream(lastEventId, signal).catch((error: unknown) => {
      throw sentBefore(error);
    });
    if (reply.isSuccess && reply.mediaType === 'text/event-stream') return reply;
    reply.release();
    throw lostFault('The answer of the MCP server broke off and could not be resumed');
  }

  /** Keeps the stream for messages outside of requests open for as long as the session lasts. */
  private async keepListening(opened: (isOpen: boolean) => void): Promise<void> {
    const { signal } = this.closing;
    let lastEventId: string | undefined;
    let hasStream: boolean | undefined;
    for (let failures = 0; !signal.aborted && failures < MOST_RESUMPTIONS; failures += 1) {
      let events: SseReader | undefined;
      try {
        const reply = await this.openStream(lastEventId, signal);
        if (!reply.isSuccess || reply.mediaType !== 'text/event-stream') {
          reply.release();
          // With status 405, the server has no such stream. With any other status, it no longer has one.
          hasStream ??= false;
          break;
        }
        opened(true);
        hasStream = true;
        failures = 0;
        const messages = this.messagesOf(reply);
        ({ events } = messages);
        for await (const message of messages) await this.receiver.receive(message);
      } catch (error) {
        if (error instanceof UpstreamFault && !PASSING.has(error.reason)) break;
      }
      lastEventId = events?.lastEventId || lastEventId;
      await pause(waitFor(events?.retryMs) * 2 ** failures, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
    if (signal.aborted) return;
    // `listening` is kept if the server never had this stream, so that later requests do not open it again.
    if (hasStream !== false) this.listening = undefined;
    this.receiver.changesEnded();
  }

  private openStream(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpReply> {
    const resumed = lastEventId === undefined ? {} : { [MCP_HEADERS.lastEventId]: lastEventId };
    const headers = {
      ...this.sessionHeaders(),
      ...resumed,
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
    };
    return this.way.send({ method: 'GET', headers, isRepeatable: true }, signal);
  }

  private async refused(reply: HttpReply, call: LegacyCall): Promise<void> {
    const refusal = await refusalOf(reply);
    const fault = reply.statusFault();
    if (refusal?.kind === 'error') {
      const { error, id } = refusal;
      if (isModernErrorCode(error.code)) throw new EraMismatch(fault);
      if (id === call.id) return call.push({ kind: 'answered', answer: { kind: 'error', error } });
    }
    const isFirst = call.request.method === 'initialize';
    // After `initialize`, 405 means that this URL accepts no more messages. HTTP+SSE uses another URL.
    const foreign = isFirst ? [400, 404, 405, 406, 415] : [405];
    if (foreign.includes(reply.status)) throw new EraMismatch(fault);
    if (!isFirst && this.session !== undefined) {
      // Some servers answer 400, with an error without request id, for a session that they do not know.
      if (reply.status === 404 || (reply.status === 400 && refusal !== undefined && refusal.id === undefined))
        throw new SessionGone();
    }
    throw fault;
  }

  private messagesOf(reply: HttpReply): ReplyMessages {
    return new ReplyMessages(reply, { maxBytes: this.maxBytes, hasBatches: this.revision === '2025-03-26' });
  }

  private postHeaders(): Record<string, string> {
    return {
      ...this.sessionHeaders(),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  private sessionHeaders(): Record<string, string> {
    return {
      ...(this.session === undefined ? {} : { [MCP_HEADERS.session]: this.session }),
      ...(this.revision === undefined ? {} : { [MCP_HEADERS.protocolVersion]: this.revision }),
    };
  }
}

function sessionOf(reply: HttpReply): string | undefined {
  const session = reply.header(MCP_HEADERS.session);
  if (session !== undefined && !VISIBLE_ASCII.test(session))
    throw malformedFault('has a session id that no header may carry');
  return session;
}

function waitFor(retryMs: number | undefined): number {
  return Math.min(Math.max(retryMs ?? RETRY_MS, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
}
