import type { Language } from './language';
import { ALWAYS_FITS, fitsInline } from './postgresql/parsing/parse-cost';
import { postgresql } from './postgresql';
import { callTexts, callViews } from './tool-call/call-views';
import type { Place } from './tool-call/json-leaves';
import { ARGUMENTS } from './tool-call/judged-call';

/**
 * The language of tool calls in the form of `judgedCall`: `{"arguments":…,"name":…}`. An input that is not
 * JSON is read as a single text.
 */
export const toolCall: Language = {
  name: 'tool-call',
  // A call is not plain text, because the texts in its JSON contain escapes and may be split into parts.
  isPlain: () => false,
  facts: 'sql',
  views: (text, places) => callViews(text, inArguments(places)),
  embedded: (text, places) => ({ language: postgresql, texts: callTexts(text, inArguments(places ?? [[]])) }),
  fitsInline: (text) =>
    text.length <= ALWAYS_FITS ||
    (text.length <= LONGEST_INLINE &&
      fitsInline(...Array.from(callTexts(text, inArguments([[]])), (view) => view.text))),
};

/**
 * Maximum length of a call that is read on the event loop, in UTF-16 code units. Longer calls are read in a
 * thread.
 */
const LONGEST_INLINE = 32 * 1024;

/**
 * Converts places in the arguments to places in the whole call. Returns two places for each, because dry runs
 * read recorded calls, which have the arguments below `params`.
 */
function inArguments(places: readonly Place[] | undefined): Place[] | undefined {
  return places?.flatMap((place) => [
    [ARGUMENTS, ...place],
    ['params', ARGUMENTS, ...place],
  ]);
}
