import type { Detector } from '../../src/guardrails/matching/detectors';

/** The text with « » around each match of a detector. */
export function marked(detector: Detector, text: string): string {
  let shown = '';
  let end = 0;
  for (const span of detector.occurrences(text, 0)) {
    shown += `${text.slice(end, span.start)}«${text.slice(span.start, span.end)}»`;
    end = span.end;
  }
  return shown + text.slice(end);
}

/** Returns a marked text without its « » marks. */
export function unmarked(shown: string): string {
  return shown.replaceAll(/[«»]/g, '');
}
