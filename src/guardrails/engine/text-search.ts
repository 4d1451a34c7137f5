import { randomUUID } from 'node:crypto';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { JudgedFor } from '../../gate/ports/guardrails';
import { LongText, type Text } from '../../kernel/text/long-text';
import { languageNamed } from '../../languages/languages';
import {
  type SearchMode,
  type PackedResult,
  type SearchResult,
  sent,
  timedSearch,
} from '../analysis/analysis';
import type { AnalysisPool } from '../analysis/analysis-pool';
import type { CompiledEntry } from '../entries/compile-entry';
import type { TextTest } from '../kinds/contract/kind';
import { InlineTimeBudget } from './inline-time-budget';
import type { Occurrence } from '../analysis/occurrence';
import { unpack } from '../analysis/packed-occurrences';
import { Prefilter } from '../analysis/prefilter';
import { TextMatcher } from '../analysis/text-matcher';
import type { LineRange } from '../analysis/touched-lines';
import { triggersOf, triggersOfLines } from '../analysis/triggers';

/**
 * Searches texts for the text entries of the guardrail rules for one direction, on this thread or, when that
 * could take long, on a worker thread.
 */
export class TextSearch {
  private readonly key = randomUUID();
  private readonly budget = new InlineTimeBudget();
  private readonly tests: readonly TextTest[];
  private readonly masks: readonly boolean[];
  // Built at first use, because thousands of words take milliseconds and many searches never run.
  private readonly parts: {
    matcher?: TextMatcher;
    text?: Prefilter | undefined;
    lines?: Prefilter | undefined;
  } = {};

  constructor(
    readonly entries: readonly CompiledEntry<TextTest>[],
    private readonly pool: Pick<AnalysisPool, 'run'>,
  ) {
    this.tests = entries.map((entry) => entry.test);
    this.masks = entries.map((entry) => entry.mask !== undefined);
  }

  private get matcher(): TextMatcher {
    return (this.parts.matcher ??= new TextMatcher(this.tests, (test) => this.masks[test] === true));
  }

  /** Filter that rules out texts without a match; undefined when it can rule out nothing. */
  private get prefilter(): Prefilter | undefined {
    if (!('text' in this.parts)) this.parts.text = Prefilter.of(triggersOf(this.tests));
    return this.parts.text;
  }

  private get linePrefilter(): Prefilter | undefined {
    if (!('lines' in this.parts)) this.parts.lines = Prefilter.of(triggersOfLines(this.tests));
    return this.parts.lines;
  }

  get lookBack(): number {
    return this.matcher.lookBack;
  }

  /** Returns false only if no entry matches the text. The text must not be SQL. */
  mayHoldInText(text: string): boolean {
    return this.entries.length > 0 && (this.prefilter?.mayHitText(text) ?? true);
  }

  /** Returns false only if no entry matches this part of a stream. The text before `from` was checked. */
  mayHoldInStream(text: string, from: number): boolean {
    return this.prefilter?.mayHitStream(text, from) ?? true;
  }

  /**
   * Returns the ranges of whole lines that must be searched. No match in the stream includes any part of the
   * other lines.
   */
  touchedLines(lines: Buffer): readonly LineRange[] {
    if (this.entries.length === 0 || lines.length === 0) return [];
    return this.linePrefilter?.touched(lines) ?? [{ start: 0, end: lines.length }];
  }

  /** @throws (or rejects) when the worker thread failed, so that the text was not judged */
  find(text: Text, look: SearchMode, owner?: JudgedFor): MaybePromise<readonly Occurrence[]> {
    if (this.entries.length === 0) return [];
    if (text instanceof LongText || !this.fitsInline(text, look)) return this.findInThread(text, look, owner);
    return this.taken(
      text,
      timedSearch(this.matcher, text, look, (part) => this.mayHoldInText(part)),
    );
  }

  private fitsInline(text: string, look: SearchMode): boolean {
    // The cost of a stream piece is proportional to its length, because its folded text is searched for words
    // only.
    if (look.as === 'stream') return text.length <= this.budget.inlineLimit;
    return this.budget.allowsInput(text, { isCall: languageNamed(look.language).views !== undefined });
  }

  private async findInThread(
    text: Text,
    look: SearchMode,
    owner: JudgedFor | undefined,
  ): Promise<readonly Occurrence[]> {
    const { key, tests, masks } = this;
    const task = { kind: 'search', key, tests, masks, text: sent(text), look } as const;
    const { found, took } = (await this.pool.run(task, owner)) as PackedResult;
    return this.taken(text, { found: unpack(found), took });
  }

  private taken(text: Text, { found, took }: SearchResult): readonly Occurrence[] {
    this.budget.recordSearch(text.length, took);
    return found;
  }
}
