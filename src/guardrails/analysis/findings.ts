import type { Finding } from '../../gate/ports/guardrails';
import { MAX_OCCURRENCES, type Occurrence } from './occurrence';

const MAX_SHOWN = 256;

/** Returns findings for the auditor. `offset` is the start of `text` within the input or stream. */
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
 * Returns the start of a match, without NUL and without half a surrogate pair at its end, because PostgreSQL
 * can store neither.
 */
export function shown(match: string): string {
  return match
    .slice(0, MAX_SHOWN)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replaceAll('\0', '');
}
