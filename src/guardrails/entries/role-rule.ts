import type { RuleDefinition } from './rule-entry';

/**
 * Built-in rule for connections on which each person acts in a role of their own. It refuses statements that
 * change the role, because the session would then act as the account of the connection again. It also refuses
 * statements whose effect cannot be determined. No stored rule has its id.
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
