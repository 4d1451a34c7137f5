import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../kernel/app-error';
import { OtlpRefusal } from './otlp-sender';
import type { SignalWay } from './signal-way';

/** Statuses after which the OTLP specification allows a client to send the request again. */
const REPEATED = new Set([429, 502, 503, 504]);
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** A result code of OpenTelemetry's SDK. */
const SUCCESS = 0;

/**
 * Exporter for a batch processor of OpenTelemetry's SDK. Sends each batch with our own sender, at most
 * `ATTEMPTS` times, and then drops it. A slow collector delays only the queue of the processor.
 */
export class OtlpBatches<Item> {
  private readonly stopping = new AbortController();
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly way: SignalWay,
    private readonly serialize: (items: Item[]) => Uint8Array | undefined,
  ) {}

  /**
   * Always reports success to the processor, because a reported failure would make its last flush fail.
   * Dropped items are reported to `lost` instead.
   */
  export(items: Item[], done: (result: { readonly code: typeof SUCCESS }) => void): void {
    const work = this.send(items)
      .then(
        () => this.way.sent(items.length),
        (error: unknown) => this.way.lost(items.length, messageOf(error)),
      )
      .then(() => done({ code: SUCCESS }));
    this.sending.add(work);
    void work.finally(() => this.sending.delete(work));
  }

  async forceFlush(): Promise<void> {
    await Promise.all(this.sending);
  }

  /** Waits for the batches that are being sent. Each of them is sent at most once more. */
  async shutdown(): Promise<void> {
    this.stopping.abort();
    await this.forceFlush();
  }

  private async send(items: Item[]): Promise<void> {
    const body = this.serialize(items);
    if (body === undefined) throw new Error('the data could not be encoded');
    const never = new AbortController().signal;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.way.sender.send(body, never);
        return;
      } catch (error) {
        const isFinal = error instanceof OtlpRefusal && !REPEATED.has(error.status);
        if (isFinal || attempt === ATTEMPTS || this.stopping.signal.aborted) throw error;
        const asked = error instanceof OtlpRefusal ? error.pauseMs : 0;
        const pauseMs = Math.min(Math.max(asked, FIRST_PAUSE_MS * 2 ** (attempt - 1)), LONGEST_PAUSE_MS);
        await pause(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}
