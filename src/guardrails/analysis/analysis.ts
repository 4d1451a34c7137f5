import { LRUCache } from 'lru-cache';
import type { Finding } from '../../gate/ports/guardrails';
import { LongText, type Text } from '../../kernel/text/long-text';
import { textOf } from '../../kernel/text/utf8';
import type { ParsedInput } from '../../languages/parsed-input';
import { languageNamed } from '../../languages/languages';
import type { Place } from '../../languages/tool-call/json-leaves';
import type { StatementTest, TextTest } from '../kinds/contract/kind';
import { shown } from './findings';
import { statementFindings } from './statement-findings';
import type { Occurrence } from './occurrence';
import { type PackedOccurrences, pack } from './packed-occurrences';
import { Prefilter } from './prefilter';
import { TextMatcher } from './text-matcher';
import { triggersOf } from './triggers';
import { findInInput, findInStream } from './text-views';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

/**
 * Mode of a search. The text is an input in a language, or a piece of a stream of which the first `from`
 * units are only context.
 */
export type SearchMode =
  | {
      readonly as: 'input';
      readonly language: string;
      /** Arguments of a call that are searched. Default: the whole call. */
      readonly places?: readonly Place[] | undefined;
    }
  | { readonly as: 'stream'; readonly from: number };

/** A text for a thread. A long text is UTF-8 in memory that the threads share, so that it is not copied. */
export type SentText = string | Uint8Array;

export function sent(text: Text): SentText {
  return text instanceof LongText ? text.bytes : text;
}

/** Work on one text, sent to a worker thread. */
export type AnalysisTask =
  | {
      readonly kind: 'search';
      /** Identifies `tests`, so that a worker compiles them once. */
      readonly key: string;
      readonly tests: readonly TextTest[];
      readonly masks: readonly boolean[];
      readonly text: SentText;
      readonly look: SearchMode;
    }
  | {
      readonly kind: 'statements';
      readonly language: string;
      readonly text: SentText;
      readonly tests: readonly StatementTest[];
    }
  | { readonly kind: 'facts'; readonly language: string; readonly text: SentText };

export interface SearchResult {
  readonly found: readonly Occurrence[];
  /** Duration of the search in milliseconds. */
  readonly took: number;
}

/** A `SearchResult` in the form in which a worker thread sends it. */
export interface PackedResult {
  readonly found: PackedOccurrences;
  readonly took: number;
}

/** @param mayHold returns false only if no entry matches the text. Default: every text is searched. */
export function timedSearch(
  matcher: TextMatcher,
  text: string,
  look: SearchMode,
  mayHold?: (text: string) => boolean,
): SearchResult {
  const startedAt = performance.now();
  const found =
    look.as === 'input'
      ? findInInput(matcher, text, languageNamed(look.language), look.places, mayHold)
      : findInStream(matcher, text, look.from);
  return { found, took: performance.now() - startedAt };
}

const MATCHERS_IN_A_WORKER = 16;
const searches = new LRUCache<string, ThreadSearch>(entriesAtMost(MATCHERS_IN_A_WORKER));

interface ThreadSearch {
  readonly matcher: TextMatcher;
  readonly prefilter: Prefilter | undefined;
}

function searchOf({ key, tests, masks }: AnalysisTask & { readonly kind: 'search' }): ThreadSearch {
  const known = searches.get(key);
  if (known !== undefined) return known;
  const matcher = new TextMatcher(tests, (test) => masks[test] === true);
  const search = { matcher, prefilter: Prefilter.of(triggersOf(tests)) };
  searches.set(key, search);
  return search;
}

/** Runs a task in a worker thread. The languages must have been loaded. */
export function analyse(task: AnalysisTask): PackedResult | Finding[][] | ParsedInput | undefined {
  const text = received(task.text);
  if (task.kind === 'facts') return languageNamed(task.language).parse?.(text);
  if (task.kind === 'statements') {
    return statementFindings(languageNamed(task.language), text, task.tests);
  }
  const { matcher, prefilter } = searchOf(task);
  const { found, took } = timedSearch(
    matcher,
    text,
    task.look,
    (part) => prefilter?.mayHitText(part) ?? true,
  );
  return { found: pack(typeof task.text === 'string' ? found : withFoundText(found, text)), took };
}

function received(text: SentText): string {
  return typeof text === 'string' ? text : textOf(Buffer.from(text.buffer, text.byteOffset, text.byteLength));
}

/** Adds the matched text to each occurrence, because the caller may have the searched text only as bytes. */
function withFoundText(found: readonly Occurrence[], text: string): readonly Occurrence[] {
  return found.map((occurrence) => ({
    ...occurrence,
    reason: occurrence.reason ?? shown(text.slice(occurrence.start, occurrence.end)),
  }));
}
