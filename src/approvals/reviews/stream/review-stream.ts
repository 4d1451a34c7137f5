import type { SentStream } from '../../../platform/http/streams/send-stream';
import { StreamLife, type StreamLifeOptions } from '../../../platform/http/streams/stream-life';
import type { Principal } from '../../../kernel/principal';
import type { Review } from '../machine/review.entity';
import { maySee } from '../machine/voters';

/** Time after which a client that lost the stream reconnects. */
const RETRY_MS = 1_000;

/** The fields of a review that determine who may see it, and the fields that are sent to readers. */
export type FollowedReview = Pick<
  Review,
  | 'id'
  | 'orgId'
  | 'sessionId'
  | 'status'
  | 'rules'
  | 'requesterType'
  | 'requesterId'
  | 'requesterSubject'
  | 'personBehind'
>;

interface ReaderOptions extends Omit<StreamLifeOptions, 'mayRead'> {
  /** Returns the reader with current groups. @throws AppError `unauthenticated` if the reader may not act */
  readonly current: () => Promise<Principal>;
}

/**
 * Notifies one reader of changed reviews that the reader may see. If a review changes again before the reader
 * has received the first change, both changes are reported as one.
 */
export class ReviewStream implements SentStream {
  private readonly life: StreamLife;
  private readonly waiting = new Map<string, FollowedReview>();
  private wake: (() => void) | undefined;

  constructor(
    private reader: Principal,
    { current, ...options }: ReaderOptions,
  ) {
    const mayRead = async (): Promise<boolean> => {
      this.reader = await current();
      return true;
    };
    this.life = new StreamLife({ ...options, mayRead });
    this.signal.addEventListener('abort', () => this.wake?.());
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  tell(review: FollowedReview): void {
    if (review.orgId !== this.reader.orgId || !maySee(this.reader, review)) return;
    this.waiting.set(review.id, review);
    this.wake?.();
  }

  async *messages(): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`;
    while (!this.signal.aborted) {
      for (const [id, review] of this.waiting) {
        this.waiting.delete(id);
        await this.life.confirm();
        // The reader may have lost the right to see the review since the change.
        if (!this.signal.aborted && maySee(this.reader, review)) yield messageOf(review);
      }
      if (this.waiting.size === 0) await this.woken();
    }
  }

  close(): void {
    this.life.close();
  }

  /** Resolves when there is something to send, or when the stream has ended. */
  private woken(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.signal.aborted) resolve();
    });
  }
}

function messageOf({ id, sessionId, status }: FollowedReview): string {
  return `data: ${JSON.stringify({ id, session_id: sessionId, status })}\n\n`;
}
