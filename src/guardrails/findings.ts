import type { Finding } from '../gate/ports/guardrails';
import { MAX_OCCURRENCES, type Occurrence } from './occurrence';

const MAX_SHOWN = 256;

/** What was found where, for the auditor; offsets of `text` begin at `offset`. */
export function findingsOf(occurrences: readonly Occurrence[], text: string, offset = 0): Finding[] {
  const pieces = new Map(occurrences.map(({ start, end }) => [`${start}-${end}`, { start, end }]));
  return [...pieces.values()]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_OCCURRENCES)
    .map(({ start, end }) => ({
      start: offset + start,
      end: offset + end,
      text: shown(text.slice(start, end)),
    }));
}

/** The beginning of a match, never ending in half a character, nor holding a NUL: PostgreSQL could not store either. */
export function shown(match: string): string {
  return match
    .slice(0, MAX_SHOWN)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replaceAll('\0', '');
}
