import type { Language } from '../../../src/languages/language';
import { MappedText, MappedTextBuilder } from '../../../src/languages/text/mapped-text';

/** A language in which dashes mean nothing: `d-r-o-p` is `drop`. */
export const spelling: Language = {
  name: 'spelling',
  isPlain: (text) => !text.includes('-'),
  canonical: (text) => ({ whole: withoutDashes(text), statements: [], complete: true }),
};

function withoutDashes(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (const { index } of text.matchAll(/-/g)) builder.replace(index, index + 1, '');
  return builder.build();
}
