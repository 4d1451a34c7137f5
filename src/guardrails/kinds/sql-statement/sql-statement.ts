import type { RuleKind } from '../contract/kind';
import { forbiddenFacts } from './forbidden-facts';
import { statementFields } from './schema';
import { type StatementCondition, compileCondition } from './statement-condition';

export const sqlStatement: RuleKind<'sql_statement', typeof statementFields, StatementCondition> = {
  type: 'sql_statement',
  summary: 'what the statements do, where the target is PostgreSQL',
  directions: ['input'],
  fields: statementFields,
  example: {
    kinds: ['drop', 'truncate'],
    without_where: true,
    tables: [{ name: 'public.salaries', access: 'read' }],
  },
  compile(entry) {
    return { kind: 'statement', type: 'sql_statement', condition: compileCondition(entry) };
  },
  forbidden: forbiddenFacts,
};
