import type { Query } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queries } from './queries';
import { type ChangedReview, listen } from './review-stream';

/** Poll intervals of a visible page with reviews: while the change stream is down, and while it is open. */
const ASKED_EVERY_MS = 10_000;
const ASKED_ANYWAY_EVERY_MS = 60_000;
/** Shortest time between two requests of a page, even if reviews change more often. */
const PAUSE_MS = 1_000;

/** Receives changes of reviews from one stream for all parts of a page. */
class ReviewUpdates {
  private readonly readers = new Set<() => void>();
  private readonly changed = new Map<string, ChangedReview>();
  private stream: AbortController | undefined;
  private isOpen = false;
  private asks: ReturnType<typeof setTimeout> | undefined;
  private askedAt = -PAUSE_MS;

  readonly isLive = (): boolean => this.isOpen;

  /** Adds a subscriber. The stream of changes is open as long as there is a subscriber. */
  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    if (this.stream === undefined) this.start();
    return () => {
      this.readers.delete(reader);
      // Wait one turn of the event loop before stopping, because the next page may subscribe meanwhile.
      setTimeout(() => this.readers.size === 0 && this.stop());
    };
  };

  private start(): void {
    const stream = new AbortController();
    this.stream = stream;
    void listen(stream.signal, {
      onOpen: () => {
        this.set(true);
        // Reviews that were read before the stream opened may have changed.
        void queries.invalidateQueries({ predicate: isOfReviews });
      },
      onChanged: (review) => {
        this.changed.set(review.id, review);
        this.asks ??= setTimeout(() => this.ask(), this.askedAt + PAUSE_MS - performance.now());
      },
      onLost: () => this.stream === stream && this.set(false),
    });
  }

  private stop(): void {
    this.stream?.abort();
    this.stream = undefined;
    this.isOpen = false;
  }

  private set(isOpen: boolean): void {
    this.isOpen = isOpen;
    for (const reader of this.readers) reader();
  }

  private ask(): void {
    const changed = [...this.changed.values()];
    this.changed.clear();
    this.asks = undefined;
    this.askedAt = performance.now();
    void queries.invalidateQueries({ predicate: (query) => changed.some((one) => concerns(query, one)) });
  }
}

const updates = new ReviewUpdates();
const none = (): (() => void) => () => undefined;

/**
 * Makes the page read changed reviews again within a second.
 * @param isWanted false if no review on the page can change any more
 * @returns poll interval in milliseconds (`refetchInterval`)
 */
export function useReviewUpdates(isWanted = true): number {
  const isLive = useSyncExternalStore(isWanted ? updates.subscribe : none, updates.isLive);
  return isLive ? ASKED_ANYWAY_EVERY_MS : ASKED_EVERY_MS;
}

const pathOf = ({ queryKey: [, path] }: Query): string => (typeof path === 'string' ? path : '');
const isOfReviews = (query: Query): boolean => pathOf(query).startsWith('/reviews');

/**
 * Whether a query shows this review. Lists can show any review. Other queries have the id of their review or
 * session in their path.
 */
function concerns(query: Query, { id, session_id: session }: ChangedReview): boolean {
  if (pathOf(query) === '/reviews') return true;
  const [, path, asked] = query.queryKey as [string, unknown, { params?: { path?: object } }?];
  const named = Object.values(asked?.params?.path ?? {}) as unknown[];
  return /^\/(reviews|sessions)\/\{/.test(String(path)) && (named.includes(id) || named.includes(session));
}
