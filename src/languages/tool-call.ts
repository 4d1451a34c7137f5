import type { Language } from './language';
import { ALWAYS_FITS, fitsInline } from './postgresql/parsing/parse-cost';
import { postgresql } from './postgresql';
import { callTexts, callViews } from './tool-call/call-views';
import type { Place } from './tool-call/json-leaves';
import { ARGUMENTS } from './tool-call/judged-call';

/**
 * Calls of tools, as `judgedCall` writes them: `{"arguments":…,"name":…}`. A text that is not JSON is read as
 * one text.
 */
export const toolCall: Language = {
  name: 'tool-call',
  // In the JSON of a call, texts contain escapes and may be split into parts.
  isPlain: () => false,
  views: (text, places) => callViews(text, inArguments(places)),
  embedded: (text, places) => ({ language: postgresql, texts: callTexts(text, inArguments(places ?? [[]])) }),
  fitsInline: (text) =>
    text.length <= ALWAYS_FITS ||
    (text.length <= LONGEST_INLINE &&
      fitsInline(...Array.from(callTexts(text, inArguments([[]])), (view) => view.text))),
};

/** Maximum length in UTF-16 code units. The JSON of longer calls is read in a thread. */
const LONGEST_INLINE = 32 * 1024;

/**
 * Converts places within the arguments to places within the call. The arguments have one place in a judged
 * call, and another one in a recorded call, which dry runs of rules read.
 */
function inArguments(places: readonly Place[] | undefined): Place[] | undefined {
  return places?.flatMap((place) => [
    [ARGUMENTS, ...place],
    ['params', ARGUMENTS, ...place],
  ]);
}
