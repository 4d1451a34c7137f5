import { Logger } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json/json';
import type { Principal } from '../../../kernel/principal';
import type { LegacyRevision } from '../../../targets/mcp/protocol/revisions';
import {
  type RpcResponse,
  idKey,
  rpcNotification,
  rpcRequest,
} from '../../../targets/mcp/protocol/rpc-messages';
import { UNSET_LOG_LEVEL } from '../../../targets/mcp/protocol/methods';
import { ChangeSubscription } from './change-subscription';
import { EventLog } from './event-log';
import type { EventMemory } from './event-memory';
import { RequestsInFlight } from './in-flight';
import type { ClientFacts } from '../http/modern-request';
import type { ServedVisit } from '../visits/served-visit';
import { ELICITATION_COMPLETE, type UrlElicitation, elicitationComplete } from '../client/url-elicitation';

/** Time in milliseconds for which a client can still resume a complete stream. */
const RESUMABLE_MS = 60_000;
/**
 * Maximum number of remembered web pages that the client was asked to open. Above it, the oldest is dropped.
 */
const PAGES = 100;

const log = new Logger('LegacySession');

/** A session of a legacy client: the state for its later messages. Belongs to the principal that began it. */
export class LegacyClientSession {
  readonly inFlight = new RequestsInFlight();
  logLevel: string | undefined;
  /** The server's capabilities, as they were sent to the client. */
  offered: JsonObject = {};
  /** Stream of the messages that belong to no request. */
  readonly changes: EventLog;
  readonly subscription: ChangeSubscription;
  private readonly streams = new Map<string, EventLog>();
  /** Streams of unanswered requests. Each stream ends after its answers. */
  private readonly answering = new Set<EventLog>();
  private readonly memory: EventMemory;
  /** Complete streams that can still be resumed, each with the timer that drops it. */
  private readonly complete = new Map<EventLog, NodeJS.Timeout>();
  /** Requests of the server that the client has not answered yet. */
  private readonly asked = new Map<string, (response: RpcResponse | undefined) => void>();
  /** Pages that the client was asked to open and that are not completed yet, by id. */
  private readonly pages = new Map<string, UrlElicitation>();
  private asking = 0;
  private streaming = 0;

  /**
   * @param id unguessable; contains the name of the worker process that has the session
   * @param memory memory of the process for events of streams that can be resumed
   */
  constructor(
    readonly id: string,
    readonly principal: Principal,
    readonly visit: ServedVisit,
    readonly revision: LegacyRevision,
    readonly client: ClientFacts,
    memory: EventMemory,
  ) {
    this.memory = memory.forSession();
    this.changes = new EventLog('changes', this.memory);
    this.streams.set(this.changes.id, this.changes);
    this.subscription = new ChangeSubscription(visit, {
      logLevel: () => this.wantedLogLevel,
      notify: (method, params) => this.changes.send(rpcNotification(method, params)),
      failed: (error) => log.debug({ err: error }, 'A subscription to changes of a server did not begin'),
    });
    visit.ended.addEventListener('abort', () => this.end(), { once: true });
  }

  /**
   * Opens a stream for the answers of one message. The caller must call `closeStream` or `dropStream`, even
   * if the session ends meanwhile.
   */
  openStream(): EventLog {
    const stream = new EventLog(`answer-${++this.streaming}`, this.memory);
    this.streams.set(stream.id, stream);
    this.answering.add(stream);
    return stream;
  }

  /** Completes a stream. It can be resumed for a while, unless later events need the memory. */
  closeStream(stream: EventLog): void {
    this.answering.delete(stream);
    // Starts no timer, because it would keep an ended session in memory.
    if (this.visit.ended.aborted) {
      stream.over();
      return this.forget(stream);
    }
    stream.complete();
    this.complete.set(stream, setTimeout(() => this.forget(stream), RESUMABLE_MS).unref());
  }

  /** Drops a stream after a fault. The request is answered without it, and the stream cannot be resumed. */
  dropStream(stream: EventLog): void {
    this.answering.delete(stream);
    this.forget(stream);
  }

  stream(id: string): EventLog | undefined {
    return this.streams.get(id);
  }

  /** Sends a request of the server to the client. Returns undefined if there will be no answer. */
  async ask(
    stream: EventLog,
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
  ): Promise<RpcResponse | undefined> {
    const id = `gateway-${++this.asking}`;
    const key = idKey(id);
    const answer = new Promise<RpcResponse | undefined>((resolve) => {
      this.asked.set(key, resolve);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      if (signal.aborted) resolve(undefined);
    });
    try {
      await stream.send(rpcRequest(id, method, params));
      return await answer;
    } finally {
      this.asked.delete(key);
    }
  }

  /**
   * Remembers a web page that the client must open, so that the client is notified when the user has
   * completed it.
   */
  opens(page: UrlElicitation): void {
    this.pages.set(page.id, page);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= PAGES) break;
      this.pages.delete(oldest);
    }
  }

  /**
   * Notifies the client that a web page is completed, if the client was asked to open this page (2025-11-25,
   * "Completion Notifications for URL Mode Elicitation").
   */
  async completed(id: string): Promise<void> {
    const page = this.pages.get(id);
    if (page === undefined) return;
    this.pages.delete(id);
    const message = rpcNotification(ELICITATION_COMPLETE, elicitationComplete(page));
    await this.visit.record(message);
    await this.changes.send(message);
  }

  /** Accepts an answer of the client. Returns false if no request waits for it. */
  answered(response: RpcResponse): boolean {
    if (response.id === undefined) return false;
    const resolve = this.asked.get(idKey(response.id));
    resolve?.(response);
    return resolve !== undefined;
  }

  /** The log level that the client set, or the default. */
  get wantedLogLevel(): string {
    return this.logLevel ?? UNSET_LOG_LEVEL;
  }

  /** Ends the session at the client's request. The client reads no more answers. */
  leave(): Promise<void> {
    this.inFlight.leave();
    return this.visit.close(0);
  }

  private forget(stream: EventLog): void {
    stream.forget();
    clearTimeout(this.complete.get(stream));
    this.streams.delete(stream.id);
    this.complete.delete(stream);
  }

  private end(): void {
    this.subscription.end();
    this.inFlight.abort();
    for (const resolve of this.asked.values()) resolve(undefined);
    // Streams of unanswered requests stay open, because their clients would wait forever for the answers.
    for (const stream of this.streams.values()) if (!this.answering.has(stream)) stream.over();
    for (const timer of this.complete.values()) clearTimeout(timer);
  }
}
