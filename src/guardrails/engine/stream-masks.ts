import type { Mask } from '../../gate/ports/guardrails';
import type { CompiledEntry } from '../entries/compile-entry';
import type { Occurrence } from '../analysis/occurrence';

const MASKED = '****';
const SURROGATE = /[\ud800-\udfff]/;

type MaskingEntry = Pick<CompiledEntry, 'mask' | 'ruleId' | 'type'>;

/**
 * Returns masks for the occurrences that begin before the offset `before`, and for occurrences that begin
 * inside one of these. `found` must be sorted by start. The masks do not overlap. Their offsets are those of
 * the stream, in which the text begins at `offset`. Where occurrences overlap, the entry that keeps the
 * fewest characters wins.
 */
export function masksIn(
  found: readonly Occurrence[],
  before: number,
  text: string,
  { offset, entries }: { offset: number; entries: readonly MaskingEntry[] },
): Mask[] {
  const merged: MergedMask[] = [];
  for (const { start, end, test, detector } of found) {
    const last = merged.at(-1);
    if (start >= Math.max(before, last?.end ?? 0)) break;
    // Some patterns match the empty string between any two characters. Then there is nothing to mask.
    if (end === start) continue;
    const { mask, ruleId, type } = entries[test]!;
    const keepLast = mask?.keepLast ?? 0;
    if (last === undefined || start >= last.end) {
      merged.push({ start, end, keepLast, ruleId, label: detector ?? type });
    } else {
      last.end = Math.max(last.end, end);
      last.keepLast = Math.min(last.keepLast, keepLast);
    }
  }
  return merged.map((one) => maskOf(one, text, offset));
}

/** A mask under construction, in offsets of the searched text. */
interface MergedMask {
  start: number;
  end: number;
  keepLast: number;
  ruleId: string;
  label: string;
}

/**
 * Copies each field explicitly, because a text may have a million masks, and object spread takes ten times as
 * long.
 */
function maskOf({ start, end, keepLast, ruleId, label }: MergedMask, text: string, offset: number): Mask {
  const match = text.slice(start, end);
  const replacement = keepLast === 0 ? MASKED : MASKED + lastOf(match, keepLast);
  const bytes = Buffer.byteLength(match);
  return { start: offset + start, end: offset + end, replacement, ruleId, label, bytes };
}

/**
 * Returns the text from `from` to `to`, masked. Uses `join`, because a concatenated string keeps all of its
 * parts in memory.
 */
export function withMasks(
  text: string,
  from: number,
  to: number,
  masks: readonly Mask[],
  offset: number,
): string {
  if (masks.length === 0) return text.slice(from, to);
  const parts: string[] = [];
  let at = from;
  for (const { start, end, replacement } of masks) {
    parts.push(text.slice(at, start - offset), replacement);
    at = end - offset;
  }
  parts.push(text.slice(at, to));
  return parts.join('');
}

/** Returns the last `count` characters of a match; empty if the match has at most `count` characters. */
function lastOf(match: string, count: number): string {
  const tail = match.slice(-2 * count - 1);
  if (!SURROGATE.test(tail)) return match.length > count ? match.slice(-count) : '';
  const characters = Array.from(tail);
  return characters.length > count ? characters.slice(-count).join('') : '';
}
