import { STATEMENT_KINDS, type StatementKind } from '../../../languages/postgresql/facts/statement-kinds';
import { type StatementValues, TABLE_ACCESS, type TableAccess, UNPARSEABLE } from './schema';

interface QualifiedName {
  readonly schema?: string;
  readonly name: string;
}

/** Conditions of a `sql_statement` entry. It forbids a statement that meets at least one of them. */
export interface StatementCondition {
  readonly kinds: readonly StatementKind[];
  readonly withoutWhere: boolean;
  readonly tables: readonly (QualifiedName & { readonly access: TableAccess })[];
  readonly functions: readonly QualifiedName[];
  /** Whether texts are refused when their effect is unknown. */
  readonly refusesUnparseable: boolean;
}

/** @throws Error with a message for the admin */
export function compileCondition(entry: StatementValues): StatementCondition {
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

/** Parses `name` or `schema.name`. Each part may be quoted, as in SQL. */
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
