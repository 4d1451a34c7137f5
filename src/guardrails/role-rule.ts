import type { RuleDefinition } from './rule-entry';

/**
 * Applies to each connection that acts as a role of the person: who changes the role acts as the account of the connection again. So nothing passes
 * that changes it, or whose effect cannot be read. No admin stored it, so it has the id of no rule.
 */
export const KEEPS_ROLE: RuleDefinition = {
  id: '00000000-0000-0000-0000-000000000000',
  name: 'the role of the connection',
  input: {
    rules: [
      {
        type: 'sql_statement',
        words: [],
        pattern_regex: '',
        kinds: ['set_role'],
        message:
          'On this connection you act as a role of your own, so a statement that changes the role, or whose effect cannot be read, is refused.',
      },
    ],
  },
  output: { rules: [] },
};
