import type { JsonObject } from '../../../kernel/json/json';
import { writeJsonInSlices } from '../../../kernel/json/json';
import { sseEvent } from '../../../targets/mcp/protocol/sse-writer';
import type { HttpAnswer } from '../http/answer';
import type { EventMemory, KeptEvent } from './event-memory';

/** Events that a stream keeps, so that a client can resume it. Older ones are dropped. */
const KEPT_EVENTS = 1_000;

/**
 * The events of one stream of a legacy session. A client that lost the connection resumes it with
 * `Last-Event-ID` and gets what it missed, once (2025-11-25, transports, "Resumability and Redelivery").
 */
export class EventLog {
  private readonly events: KeptEvent[] = [];
  private next = 0;
  private http: HttpAnswer | undefined;
  private isComplete = false;
  private isOver = false;

  /**
   * @param id unique in its session
   * @param memory of the session
   */
  constructor(
    readonly id: string,
    private readonly memory: EventMemory,
  ) {}

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

  /** Whether nothing comes after this event any more. */
  isSpent(after: number): boolean {
    return this.isComplete && after === this.next - 1;
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
    await this.keep(await writeJsonInSlices(message));
  }

  /** Nobody resumes it any more. */
  forget(): void {
    this.isOver = true;
    for (const event of this.events.splice(0)) this.memory.forget(event);
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

/** Stream and number of an event; undefined for an id that no stream of the gateway has. */
export function parsedEventId(id: string): { readonly stream: string; readonly at: number } | undefined {
  const [, stream, at] = /^([\w-]{1,64})\/(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined || at === undefined ? undefined : { stream, at: Number(at) };
}
