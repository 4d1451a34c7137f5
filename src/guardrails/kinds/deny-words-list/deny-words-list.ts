import type { EntryFields } from '../contract/entry-fields';
import type { RuleKind } from '../contract/kind';

const fields = {
  words: { form: 'texts', description: 'words that are denied, anywhere and in any case.', empty: [] },
  case_sensitive: { form: 'flag', description: 'the words are found in this case only.' },
  whole_word: { form: 'flag', description: 'the words are not found inside longer words.' },
} as const satisfies EntryFields;

export const denyWordsList: RuleKind<'deny_words_list', typeof fields> = {
  type: 'deny_words_list',
  summary: 'words',
  directions: ['input', 'output'],
  fields,
  example: { words: ['DROP TABLE'], message: 'Tables are not dropped here.' },
  compile({ words, case_sensitive, whole_word }) {
    if (words.length === 0) throw new Error('words must not be empty');
    if (words.includes(''))
      throw new Error('words must not contain an empty word, which would forbid everything');
    return { kind: 'words', words, caseSensitive: case_sensitive === true, wholeWord: whole_word === true };
  },
};
