import { compileEntry } from '../../../../test/support/rule-entries';

describe('a deny_words_list entry', () => {
  it.each([
    ['words must not be empty', []],
    ['words must not contain an empty word, which would forbid everything', ['a', '']],
  ])('is refused: %s', (reason, words) => {
    expect(() => compileEntry({ type: 'deny_words_list', words })).toThrow(`input.rules.0: ${reason}`);
  });

  it('looks for its words in any case and anywhere, unless it says otherwise', () => {
    const test = (more: object) => compileEntry({ type: 'deny_words_list', words: ['x'], ...more })?.test;
    const words = { kind: 'words', words: ['x'] };
    expect(test({})).toEqual({ ...words, caseSensitive: false, wholeWord: false });
    expect(test({ case_sensitive: true })).toEqual({ ...words, caseSensitive: true, wholeWord: false });
    expect(test({ whole_word: true })).toEqual({ ...words, caseSensitive: false, wholeWord: true });
  });
});
