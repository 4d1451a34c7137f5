import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CacheLookups, ChangeFeed } from '../../database/feed/change-feed';
import type { Principal } from '../../../kernel/principal';
import { type Policy, satisfies } from '../routes/access';

/** Bytes that all answers may have together, with their addresses and headers. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Larger answers are made each time. */
export const LARGEST_ANSWER = 1024 * 1024;
/** Size of an entry beside its body and its address: headers, and its place in the cache. */
const ENTRY_BYTES = 1_000;

/** Facts that an answer depends on, beside the address of the request. */
export interface AnswerTerms {
  readonly orgId: string;
  readonly policy: Policy;
  /** Tables whose rows it shows. Triggers notify the gateways of every change of them. */
  readonly tables: readonly string[];
}

/** A complete answer: status 200, its headers in their order, and the bytes of its body as they were sent. */
export interface ReadyAnswer extends AnswerTerms {
  readonly headers: readonly (readonly [name: string, value: number | string | string[]])[];
  readonly body: Buffer;
  /** `now` before anything was read for it. */
  readonly madeAt: number;
}

/**
 * Answers to GET requests for configuration, as they were sent. An answer is good until a row of its tables
 * changes, on any gateway: the change feed reports it. Without the feed, none is good.
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

  /** Changes reported so far. Must be read before the first query for an answer that is kept. */
  get now(): number {
    return this.changes;
  }

  /** Bytes that are kept now. */
  get bytes(): number {
    return this.answers.calculatedSize;
  }

  /** Whether there may be an answer for the key. */
  has(key: string): boolean {
    return this.feed.live && this.isGood(this.answers.get(key));
  }

  /**
   * Resolves when every change that was committed before the call has been reported; at once for an answer
   * that nothing changes.
   */
  async caughtUp(key: string): Promise<void> {
    if (this.answers.get(key)?.tables.length !== 0) await this.feed.caughtUp();
  }

  /** The answer to this principal's request; undefined where it has to be made. Call it after `caughtUp`. */
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
