/**
 * Guardrail rules that match nothing in the inputs and results of pipelines. A rule for card numbers is not
 * among them, because it would match some hexadecimal digits.
 */
export const UNTOUCHED_BY = {
  input: {
    rules: [
      { type: 'deny_words_list', words: ['no such word'], pattern_regex: '' },
      { type: 'pattern_match', words: [], pattern_regex: 'no such \\d+ pattern' },
      { type: 'sql_statement', words: [], pattern_regex: '', kinds: ['grant'], unparseable: 'allow' },
    ],
  },
  output: {
    rules: [
      { type: 'deny_words_list', words: ['no such word'], pattern_regex: '' },
      {
        type: 'detector',
        words: [],
        pattern_regex: '',
        detectors: ['us_ssn', 'aws_key'],
        action: 'mask',
      },
    ],
  },
};
