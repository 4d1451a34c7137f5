import type { RuleDefinition } from './rule-entry';

/**
 * The rule of each connection that acts as a role of the person. A statement that changes the role makes
 * the session act as the account of the connection again, so the rule refuses it, and each statement whose
 * effect cannot be read. No admin stored the rule: its id is that of no stored one.
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
