import type { Finding } from '../gate/ports/guardrails';
import {
  type FunctionFact,
  type ParsedSql,
  type StatementFacts,
  type TableFact,
  namesFunction,
  namesTable,
} from '../languages/postgresql/facts';
import { shown } from './findings';
import { MAX_OCCURRENCES } from './occurrence';
import { STATEMENT_KINDS, type StatementKind } from '../languages/postgresql/statement-kinds';
import { type RuleEntry, TABLE_ACCESS, type TableCondition, UNPARSEABLE } from './rule-entry';

interface QualifiedName {
  readonly schema?: string;
  readonly name: string;
}

/** What a `sql_statement` entry forbids; each condition by itself is enough. */
export interface StatementCondition {
  readonly kinds: readonly StatementKind[];
  readonly withoutWhere: boolean;
  readonly tables: readonly (QualifiedName & { readonly access: TableCondition['access'] })[];
  readonly functions: readonly QualifiedName[];
  /** Whether a text is refused whose effect cannot be told. */
  readonly refusesUnparseable: boolean;
}

/** @throws Error in plain words */
export function compileCondition(entry: RuleEntry): StatementCondition {
  const { kinds = [], without_where = false, tables = [], functions = [], unparseable = 'refuse' } = entry;
  if (kinds.length === 0 && !without_where && tables.length === 0 && functions.length === 0)
    throw new Error('give at least one of kinds, without_where, tables and functions');
  const unknown = kinds.find((kind) => !STATEMENT_KINDS.includes(kind));
  if (unknown !== undefined) throw new Error(`kind ${unknown} is unknown`);
  if (!UNPARSEABLE.includes(unparseable))
    throw new Error(`unparseable must be one of ${UNPARSEABLE.join(', ')}`);
  return {
    kinds,
    withoutWhere: without_where,
    tables: tables.map(({ name, access }) => {
      if (!TABLE_ACCESS.includes(access)) throw new Error(`access must be one of ${TABLE_ACCESS.join(', ')}`);
      return { ...qualifiedName(name), access };
    }),
    functions: functions.map(qualifiedName),
    refusesUnparseable: unparseable === 'refuse',
  };
}

/** `name` or `schema.name`, each part quoted or not, as SQL writes it. */
function qualifiedName(written: string): QualifiedName {
  const part = /"(?:[^"]|"")+"|[^".\s]+/;
  const match = new RegExp(`^(?:(${part.source})\\.)?(${part.source})$`).exec(written);
  if (match?.[2] === undefined) throw new Error(`${written} is not a name like users or public.users`);
  const [, schema, name] = match;
  return { name: unquoted(name), ...(schema === undefined ? {} : { schema: unquoted(schema) }) };
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** What each condition forbids of a text, in the order of its statements; nothing where it is allowed. */
export function forbiddenIn(
  length: number,
  parsed: ParsedSql,
  conditions: readonly StatementCondition[],
): Finding[][] {
  return conditions.map((condition) =>
    forbiddenFacts(condition, length, parsed)
      .slice(0, MAX_OCCURRENCES)
      .map((finding) => ({ ...finding, text: shown(finding.text) })),
  );
}

function forbiddenFacts(condition: StatementCondition, length: number, parsed: ParsedSql): Finding[] {
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
