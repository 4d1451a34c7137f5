import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CacheLookups, ChangeFeed } from '../../database/feed/change-feed';
import type { Principal } from '../../../kernel/principal';
import { type Policy, satisfies } from '../routes/access';

/** Maximum size of all kept answers together, with their URLs and headers. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Maximum size of a kept answer. */
export const LARGEST_ANSWER = 1024 * 1024;
/** Estimated size of a cache entry without its body and key: its headers, and the entry itself. */
const ENTRY_BYTES = 1_000;

/** Facts that an answer depends on, besides the URL of the request. */
export interface AnswerTerms {
  readonly orgId: string;
  readonly policy: Policy;
  /** Tables whose rows the answer shows. Triggers report every change of these rows to the gateways. */
  readonly tables: readonly string[];
}

/** A complete answer: status 200, its headers in their order, and the bytes of its body as they were sent. */
export interface ReadyAnswer extends AnswerTerms {
  readonly headers: readonly (readonly [name: string, value: number | string | string[]])[];
  readonly body: Buffer;
  /** Value of `ReadyAnswers.now` before the first query for the answer. */
  readonly madeAt: number;
}

/**
 * Keeps sent answers to GET requests for configuration. An answer is valid until the change feed reports a
 * change in one of its tables, by any gateway. While the change feed is down, no answer is valid.
 */
@Injectable()
export class ReadyAnswers {
  private readonly answers = new LRUCache<string, ReadyAnswer>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_ANSWER + ENTRY_BYTES * 20,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + ENTRY_BYTES,
  });
  /** Number of reported changes, of all tables. */
  private changes = 0;
  private readonly lastChange = new Map<string, number>();
  private lastReset = 0;
  private readonly lookups: CacheLookups = { cache: 'answers', hits: 0, misses: 0 };

  constructor(private readonly feed: ChangeFeed) {
    feed.subscribe({
      lookups: this.lookups,
      changed: (table) => void this.lastChange.set(table, ++this.changes),
      reset: () => {
        this.lastReset = ++this.changes;
        this.answers.clear();
      },
    });
  }

  /** Number of changes reported so far. Must be read before the first query for an answer to keep. */
  get now(): number {
    return this.changes;
  }

  /** Size of all kept answers. */
  get bytes(): number {
    return this.answers.calculatedSize;
  }

  /** Whether a valid answer for the key is kept; `find` also checks the caller. */
  has(key: string): boolean {
    return this.feed.live && this.isGood(this.answers.get(key));
  }

  /**
   * Resolves when the feed has reported every change that was committed before the call. Resolves at once for
   * an answer without tables.
   */
  async caughtUp(key: string): Promise<void> {
    if (this.answers.get(key)?.tables.length !== 0) await this.feed.caughtUp();
  }

  /** Returns the kept answer if it is valid and this principal may have it. Call it after `caughtUp`. */
  find(key: string, { orgId, role }: Principal): ReadyAnswer | undefined {
    if (!this.feed.live) return undefined;
    const answer = this.answers.get(key);
    const isTheirs = answer?.orgId === orgId && satisfies(role, answer.policy);
    const isHit = isTheirs && this.isGood(answer);
    this.lookups[isHit ? 'hits' : 'misses'] += 1;
    return isHit ? answer : undefined;
  }

  keep(key: string, answer: ReadyAnswer): void {
    if (this.feed.live && this.isGood(answer) && answer.body.length <= LARGEST_ANSWER)
      this.answers.set(key, answer);
  }

  private isGood(answer: ReadyAnswer | undefined): boolean {
    if (answer === undefined || answer.madeAt < this.lastReset) return false;
    return answer.tables.every((table) => (this.lastChange.get(table) ?? 0) <= answer.madeAt);
  }
}
