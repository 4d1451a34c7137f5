import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { Quota } from '../../../kernel/async/quota';
import { Review } from '../machine/review.entity';
import { ReviewStream } from './review-stream';

const STREAMS_EACH = 10;
/** Maximum number of streams. Each costs an HTTP connection, and nothing more while no review changes. */
const STREAMS = 1_000;
/**
 * Time for which changes are collected, because one decision changes several rows. Then one query reads the
 * changed reviews for all readers.
 */
const GATHERED_MS = 100;
/** Tables whose triggers notify the gateways with the id of a review. */
const TABLES: ReadonlySet<string> = new Set(['reviews', 'review_groups']);

/** Notifies readers of changed reviews, whichever gateway made the change. */
@Injectable()
export class ReviewStreams implements OnModuleDestroy {
  private readonly places = new Quota(STREAMS_EACH, STREAMS, {
    own: `you follow the reviews ${STREAMS_EACH} times already`,
    all: 'too many people follow the reviews on this gateway',
    retryAfterSeconds: 10,
  });
  private readonly open = new Set<ReviewStream>();
  private readonly changed = new Set<string>();
  private isStopping = false;

  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly principals: Principals,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (this.open.size > 0 && TABLES.has(table)) this.gather(id);
      },
      // The change feed may have missed changes, so all streams end. Readers reconnect and read all reviews.
      reset: () => this.end(),
    });
  }

  /**
   * Opens a stream of changed reviews that ends after at most `seconds` seconds.
   * @throws AppError `too_many_requests` when the actor has too many streams; `unavailable` when this gateway
   * has too many streams, is stopping, or has lost its change feed.
   */
  of(actor: Principal, seconds: number): ReviewStream {
    if (this.isStopping || !this.feed.live)
      throw new AppError('unavailable', 'this gateway cannot follow reviews now', { retryAfterSeconds: 1 });
    const leave = this.places.acquire(actor.userId);
    const stream: ReviewStream = new ReviewStream(actor, {
      seconds,
      current: () => this.principals.current(actor),
      left: () => {
        this.open.delete(stream);
        leave();
      },
    });
    this.open.add(stream);
    return stream;
  }

  /** Ends all streams before the gateway waits for other work. Readers reconnect to another gateway. */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.end();
  }

  private end(): void {
    for (const stream of this.open) stream.close();
  }

  private gather(id: string): void {
    this.changed.add(id);
    // Only the first change starts the query; it waits so that later changes can join.
    if (this.changed.size === 1) void this.tellSoon();
  }

  private async tellSoon(): Promise<void> {
    await delay(GATHERED_MS);
    const ids = [...this.changed];
    this.changed.clear();
    try {
      for (const review of await this.read(ids)) for (const stream of this.open) stream.tell(review);
    } catch {
      // The changes could not be read. Streams end, because a client that reconnects reads all reviews again.
      this.end();
    }
  }

  private read(ids: readonly string[]): Promise<Review[]> {
    return this.reviews.find({
      select: {
        id: true,
        orgId: true,
        sessionId: true,
        status: true,
        rules: true,
        requesterType: true,
        requesterId: true,
        requesterSubject: true,
        personBehind: true,
      },
      where: { id: In(ids) },
    });
  }
}
