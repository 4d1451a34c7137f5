import type { Language } from './language';
import { ALWAYS_FITS, fitsInline } from './postgresql/parsing/parse-cost';
import { postgresql } from './postgresql';
import { callTexts, callViews } from './tool-call/call-views';
import type { Place } from './tool-call/json-leaves';
import { ARGUMENTS } from './tool-call/judged-call';

/**
 * Calls of tools, as `judgedCall` writes them: `{"arguments":…,"name":…}`.
 * What is no JSON is read as one text.
 */
export const toolCall: Language = {
  name: 'tool-call',
  // The texts of a call stand in its JSON with escapes, and in parts.
  isPlain: () => false,
  views: (text, places) => callViews(text, inArguments(places)),
  embedded: (text, places) => ({ language: postgresql, texts: callTexts(text, inArguments(places ?? [[]])) }),
  fitsInline: (text) =>
    text.length <= ALWAYS_FITS ||
    (text.length <= LONGEST_INLINE &&
      fitsInline(...Array.from(callTexts(text, inArguments([[]])), (view) => view.text))),
};

/** The JSON of longer calls is read in a thread. UTF-16 code units. */
const LONGEST_INLINE = 32 * 1024;

/**
 * Places are given within the arguments: of a call as it is judged, or as it
 * is recorded, for dry runs of rules.
 */
function inArguments(places: readonly Place[] | undefined): Place[] | undefined {
  return places?.flatMap((place) => [
    [ARGUMENTS, ...place],
    ['params', ARGUMENTS, ...place],
  ]);
}
