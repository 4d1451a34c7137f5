import type { JsonObject } from '../../../kernel/json/json';
import { writeJsonInSlices } from '../../../kernel/json/json';
import { sseEvent } from '../../../targets/mcp/protocol/sse-writer';
import type { HttpAnswer } from '../http/answer';
import type { EventMemory, KeptEvent } from './event-memory';

/** Maximum number of events that a stream keeps, so that a client can resume it. Older events are dropped. */
const KEPT_EVENTS = 1_000;

/**
 * The events of one stream of a legacy session. A client that lost the connection resumes the stream with
 * `Last-Event-ID` and gets the events that it missed (2025-11-25, transports, "Resumability and Redelivery").
 */
export class EventLog {
  private readonly events: KeptEvent[] = [];
  private next = 0;
  private http: HttpAnswer | undefined;
  private isComplete = false;
  private isOver = false;

  /**
   * @param id unique in its session
   * @param memory stores the kept events of the session's streams
   */
  constructor(
    readonly id: string,
    private readonly memory: EventMemory,
  ) {}

  /** Whether a client is connected. */
  get isHeard(): boolean {
    return this.http?.isOver === false;
  }

  /** Begins the stream on this HTTP answer. Ends the stream's earlier answer. */
  attach(http: HttpAnswer): void {
    if (this.http !== http) this.http?.close();
    this.http = http;
    http.open();
    if (this.isComplete) http.close();
  }

  /** Whether the stream is complete and event number `after` was its last event. */
  isSpent(after: number): boolean {
    return this.isComplete && after === this.next - 1;
  }

  /**
   * Sends the events after number `after`, then continues the stream.
   * @returns false if some of these events were dropped, or event `after` does not exist
   */
  async resume(http: HttpAnswer, after: number): Promise<boolean> {
    const first = this.events[0]?.at ?? this.next;
    if (after + 1 < first || after >= this.next) return false;
    const missed = this.events.filter(({ at }) => at > after);
    this.http?.close();
    this.http = http;
    http.open();
    // Writes all missed events at once, so that no later event comes between them.
    await http.write(missed.map(({ text }) => text).join(''));
    if (this.isComplete) http.close();
    return true;
  }

  /** Sends an event without data, so that a client can resume a stream without messages (2025-11-25). */
  prime(): Promise<void> {
    return this.keep('');
  }

  async send(message: JsonObject): Promise<void> {
    await this.keep(await writeJsonInSlices(message));
  }

  /** Drops the kept events of the stream and keeps no more, because no client will resume it. */
  forget(): void {
    this.isOver = true;
    for (const event of this.events.splice(0)) this.memory.forget(event);
  }

  /** Marks the stream as complete. The client may use the HTTP connection for its next message. */
  complete(): void {
    this.isComplete = true;
    this.http?.close();
  }

  /** Ends the stream and its HTTP connection, because the session is over. */
  over(): void {
    this.http?.hangUpAfterwards();
    this.complete();
    this.forget();
  }

  private async keep(data: string): Promise<void> {
    const at = this.next++;
    const text = sseEvent({ data, id: `${this.id}/${at}` });
    if (!this.isOver) {
      const event = { at, text };
      this.events.push(event);
      this.memory.keep(event, this.dropOldest);
      if (this.events.length > KEPT_EVENTS) this.dropOldest();
    }
    await this.http?.write(text);
  }

  private readonly dropOldest = (): void => {
    const event = this.events.shift();
    if (event !== undefined) this.memory.forget(event);
  };
}

/** Returns the stream and the number of an event; undefined for an id in another form. */
export function parsedEventId(id: string): { readonly stream: string; readonly at: number } | undefined {
  const [, stream, at] = /^([\w-]{1,64})\/(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || at === undefined ? undefined : { stream, at: Number(at) };
}
