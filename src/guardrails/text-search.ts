import { randomUUID } from 'node:crypto';
import type { Eventual } from '../kernel/eventual';
import { type Look, type SearchResult, timedSearch } from './analysis';
import type { AnalysisPool } from './analysis-pool';
import type { CompiledEntry, TextTest } from './compile-entry';
import { Pace } from './pace';
import type { Occurrence } from './occurrence';
import { TextMatcher } from './text-matcher';

/** Searches texts for what the text entries of one direction forbid: here, or in a thread when that could take long. */
export class TextSearch {
  private readonly key = randomUUID();
  private readonly pace = new Pace();
  private readonly tests: readonly TextTest[];
  private readonly masks: readonly boolean[];
  private readonly matcher: TextMatcher;

  constructor(
    readonly entries: readonly CompiledEntry<TextTest>[],
    private readonly pool: Pick<AnalysisPool, 'run'>,
  ) {
    this.tests = entries.map((entry) => entry.test);
    this.masks = entries.map((entry) => entry.mask !== undefined);
    this.matcher = new TextMatcher(this.tests, (test) => this.masks[test] === true);
  }

  get lookBack(): number {
    return this.matcher.lookBack;
  }

  /** @throws (or rejects) when the thread failed: the text was not judged. */
  find(text: string, look: Look): Eventual<readonly Occurrence[]> {
    if (this.entries.length === 0) return [];
    if (text.length > this.pace.inlineLimit) return this.findInThread(text, look);
    return this.taken(text, timedSearch(this.matcher, text, look));
  }

  private async findInThread(text: string, look: Look): Promise<readonly Occurrence[]> {
    const { key, tests, masks } = this;
    return this.taken(
      text,
      (await this.pool.run({ kind: 'search', key, tests, masks, text, look })) as SearchResult,
    );
  }

  private taken(text: string, { found, took }: SearchResult): readonly Occurrence[] {
    this.pace.took(text.length, took);
    return found;
  }
}
