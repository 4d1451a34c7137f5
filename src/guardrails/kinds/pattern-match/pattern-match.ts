import { compilePattern } from '../../matching/pattern-set';
import type { EntryFields } from '../contract/entry-fields';
import type { RuleKind } from '../contract/kind';

const fields = {
  pattern_regex: {
    form: 'text',
    description: 'RE2 regular expression that is denied.',
    example: '',
    empty: '',
  },
} as const satisfies EntryFields;

export const patternMatch: RuleKind<'pattern_match', typeof fields> = {
  type: 'pattern_match',
  summary: 'matches of an RE2 regular expression',
  directions: ['input', 'output'],
  fields,
  example: { pattern_regex: '(?i)pg_sleep\\s*\\(' },
  compile({ pattern_regex: pattern }) {
    if (pattern === '') throw new Error('pattern_regex must not be empty');
    return { kind: 'pattern', pattern, steps: compilePattern(pattern).programSize() };
  },
};
