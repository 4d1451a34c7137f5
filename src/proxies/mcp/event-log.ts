import type { JsonObject } from '../../kernel/json/json';
import { writeJson } from '../../kernel/json/json';
import { sseEvent } from '../../targets/mcp/protocol/sse-writer';
import type { HttpAnswer } from './answer';

/** What a broken stream keeps, so that a client can resume it. Older events are dropped. */
const KEPT_EVENTS = 1_000;
const KEPT_BYTES = 16 * 1024 * 1024;

interface SentEvent {
  readonly at: number;
  readonly text: string;
}

/**
 * The events of one stream of a legacy session. A client that lost the connection resumes it with `Last-Event-ID` and gets what it
 * missed, once (2025-11-25, transports, "Resumability and Redelivery").
 */
export class EventLog {
  private readonly events: SentEvent[] = [];
  private bytes = 0;
  private next = 0;
  private http: HttpAnswer | undefined;
  private isComplete = false;

  /** @param id unique in its session. */
  constructor(readonly id: string) {}

  /** Whether a client is connected. */
  get isHeard(): boolean {
    return this.http?.isOver === false;
  }

  /** Begins the stream on this answer. A client that is connected already is left. */
  attach(http: HttpAnswer): void {
    if (this.http !== http) this.http?.close();
    this.http = http;
    http.open();
    if (this.isComplete) http.close();
  }

  /**
   * Sends the events after this one, then continues the stream.
   * @returns false when the event is not known any more.
   */
  async resume(http: HttpAnswer, after: number): Promise<boolean> {
    const first = this.events[0]?.at ?? this.next;
    if (after + 1 < first || after >= this.next) return false;
    const missed = this.events.filter(({ at }) => at > after);
    this.http?.close();
    this.http = http;
    http.open();
    // In one write: later events must come after it.
    await http.write(missed.map(({ text }) => text).join(''));
    if (this.isComplete) http.close();
    return true;
  }

  /** An event without data, whose id lets a client resume a stream on which nothing came yet (2025-11-25). */
  prime(): Promise<void> {
    return this.keep('');
  }

  async send(message: JsonObject): Promise<void> {
    await this.keep(writeJson(message));
  }

  /** Characters that are kept for clients that resume it. */
  get size(): number {
    return this.bytes;
  }

  /** Nothing more comes. The client may use the connection for its next message. */
  complete(): void {
    this.isComplete = true;
    this.http?.close();
  }

  /** Nothing more comes on any stream of the session. */
  over(): void {
    this.http?.hangUpAfterwards();
    this.complete();
  }

  private async keep(data: string): Promise<void> {
    const at = this.next++;
    const text = sseEvent({ data, id: `${this.id}/${at}` });
    this.events.push({ at, text });
    this.bytes += text.length;
    while (this.events.length > 1 && (this.events.length > KEPT_EVENTS || this.bytes > KEPT_BYTES))
      this.bytes -= this.events.shift()?.text.length ?? 0;
    await this.http?.write(text);
  }
}

/** Stream and number of an event; undefined for an id that no stream of the gateway has. */
export function parsedEventId(id: string): { readonly stream: string; readonly at: number } | undefined {
  const [, stream, at] = /^([\w-]{1,64})\/(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || at === undefined ? undefined : { stream, at: Number(at) };
}
