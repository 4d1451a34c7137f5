import type { EntryFields } from '../../../src/guardrails/kinds/contract/entry-fields';
import type { RuleKind } from '../../../src/guardrails/kinds/contract/kind';

const fields = {
  max_statements: { form: 'integer', description: 'so many statements are allowed.', min: 1, max: 9 },
} as const satisfies EntryFields;

/** A kind of rule that judges statements by a condition that is not built into the engine. */
export const statementCount: RuleKind<'statement_count', typeof fields, { most: number }> = {
  type: 'statement_count',
  summary: 'texts of too many statements',
  directions: ['input'],
  fields,
  example: { max_statements: 1 },
  compile({ max_statements: most }) {
    if (most === undefined) throw new Error('max_statements is missing');
    return { kind: 'statement', type: 'statement_count', condition: { most } };
  },
  forbidden({ most }, length, parsed) {
    if (parsed.kind === 'unparseable') return [{ start: 0, end: length, text: 'who knows how many' }];
    return parsed.statements
      .slice(most)
      .map(({ start, end }) => ({ start, end, text: 'one statement too many' }));
  },
};
