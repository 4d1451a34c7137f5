import type { Finding } from '../../gate/ports/guardrails';
import { MAX_OCCURRENCES, type Occurrence } from './occurrence';

const MAX_SHOWN = 256;

/** Findings for the auditor. `offset` is the place of `text` in the input or stream. */
export function findingsOf(occurrences: readonly Occurrence[], text: string, offset = 0): Finding[] {
  const pieces = new Map(
    occurrences.map((occurrence) => [`${occurrence.start}-${occurrence.end}`, occurrence]),
  );
  return [...pieces.values()]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_OCCURRENCES)
    .map(({ start, end, reason }) => ({
      start: offset + start,
      end: offset + end,
      text: reason ?? shown(text.slice(start, end)),
    }));
}

/**
 * The start of a match, without a trailing half of a surrogate pair and
 * without NUL: PostgreSQL can store neither.
 */
export function shown(match: string): string {
  return match
    .slice(0, MAX_SHOWN)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replaceAll('\0', '');
}
