import { randomUUID } from 'node:crypto';
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

  /** @throws when the thread failed: the text was not judged. */
  async find(text: string, look: Look): Promise<readonly Occurrence[]> {
    if (this.entries.length === 0) return [];
    const { found, took } =
      text.length <= this.pace.inlineLimit
        ? timedSearch(this.matcher, text, look)
        : await this.findInThread(text, look);
    this.pace.took(text.length, took);
    return found;
  }

  private async findInThread(text: string, look: Look): Promise<SearchResult> {
    const { key, tests, masks } = this;
    return (await this.pool.run({ kind: 'search', key, tests, masks, text, look })) as SearchResult;
  }
}
