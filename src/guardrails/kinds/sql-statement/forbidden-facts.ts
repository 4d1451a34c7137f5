import type { Finding } from '../../../gate/ports/guardrails';
import {
  type FunctionFact,
  type ParsedSql,
  type StatementFacts,
  type TableFact,
  namesFunction,
  namesTable,
} from '../../../languages/postgresql/facts/facts';
import type { StatementCondition } from './statement-condition';

/**
 * Returns the parts of an input that the condition forbids, in the order of statements; none when the input
 * is allowed.
 */
export function forbiddenFacts(condition: StatementCondition, length: number, parsed: ParsedSql): Finding[] {
  if (parsed.kind === 'unparseable') {
    return condition.refusesUnparseable
      ? [{ start: 0, end: length, text: `unparseable: ${parsed.reason}` }]
      : [];
  }
  return parsed.statements.flatMap((statement) =>
    forbiddenOf(condition, statement).map((fact) => ({
      start: statement.start,
      end: statement.end,
      text: fact,
    })),
  );
}

function forbiddenOf(condition: StatementCondition, statement: StatementFacts): string[] {
  return [
    ...statement.kinds.filter((kind) => condition.kinds.includes(kind)),
    ...(condition.withoutWhere && statement.withoutWhere ? ['without WHERE'] : []),
    ...statement.tables.flatMap((fact) => forbiddenAccess(condition, fact)),
    ...statement.functions
      .filter((fact) => condition.functions.some((wanted) => namesFunction(fact, wanted)))
      .map((fact) => `function ${written(fact)}`),
    ...(condition.refusesUnparseable ? statement.hidden.map((reason) => `hidden effect: ${reason}`) : []),
  ];
}

function forbiddenAccess({ tables }: StatementCondition, fact: TableFact): string[] {
  const isForbidden = tables.some(
    ({ access, ...wanted }) =>
      namesTable(fact, wanted) &&
      (access === 'any' || (access === 'read' && fact.read) || (access === 'write' && fact.write)),
  );
  return isForbidden ? [`table ${written(fact)}`] : [];
}

function written({ schema, name }: TableFact | FunctionFact): string {
  return schema === undefined ? name : `${schema}.${name}`;
}
