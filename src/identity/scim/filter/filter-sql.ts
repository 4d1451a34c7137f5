import type { AttributePath } from '../schema/attribute-path';
import { type Filter, type Operator, folded } from './filter';

/**
 * Maps the attributes of one kind of resource to SQL expressions. The expressions come only from the schema,
 * never from a caller.
 */
export interface StoredPlaces {
  /** Returns the SQL expression of a single value: `attribute`, `attribute.sub` or `urn:attribute`. */
  single(path: AttributePath): string;
  /**
   * Returns a FROM clause with one row for each value of a multi-valued attribute, and `part`, which returns
   * the SQL expression of a sub-attribute in a row.
   */
  many(path: AttributePath): { readonly from: string; readonly part: (sub: string) => string };
}

/** An SQL condition with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const ORDERED: Readonly<Partial<Record<Operator, string>>> = {
  eq: '=',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

/**
 * Translates a filter into an SQL condition. The caller's values become parameters and are never part of the
 * statement.
 * @param first number of the first free parameter
 */
export function filterSql(filter: Filter, places: StoredPlaces, first: number): Condition {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${first - 1 + values.push(value)}`;
  const render = (part: Filter, row?: (sub: string) => string): string => {
    switch (part.kind) {
      case 'and':
      case 'or':
        return `(${part.parts.map((one) => render(one, row)).join(part.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `NOT ${render(part.part, row)}`;
      case 'within': {
        const many = places.many(part.path);
        return `EXISTS (SELECT FROM ${many.from} WHERE ${render(part.part, many.part)})`;
      }
      case 'present':
        return present(part.path, places, row);
      case 'compare':
        return compared(part, places, row, parameter);
    }
  };
  return { sql: render(filter), values };
}

function present(path: AttributePath, places: StoredPlaces, row?: (sub: string) => string): string {
  if (row !== undefined) return path.sub === undefined ? 'FALSE' : `${row(path.sub.name)} IS NOT NULL`;
  if (path.attribute.multiValued !== true) return `${places.single(path)} IS NOT NULL`;
  const { from, part } = places.many(path);
  const where = path.sub === undefined ? '' : ` WHERE ${part(path.sub.name)} IS NOT NULL`;
  return `EXISTS (SELECT FROM ${from}${where})`;
}

function compared(
  { path, operator, value }: Extract<Filter, { kind: 'compare' }>,
  places: StoredPlaces,
  row: ((sub: string) => string) | undefined,
  parameter: (value: unknown) => string,
): string {
  const { type, caseExact } = path.sub ?? path.attribute;
  const one = (expression: string): string => {
    const plain = operator === 'ne' ? 'eq' : operator;
    if (typeof value === 'boolean') return `${expression}::boolean = ${parameter(value)}`;
    if (type === 'dateTime')
      return `date_trunc('milliseconds', ${expression}) ${ORDERED[plain]} ${parameter(new Date(value).toISOString())}::timestamptz`;
    return textual(expression, plain, value, caseExact === true, parameter);
  };
  // A comparison with a missing value must be false and not NULL, so that NOT makes it true.
  const known = (expression: string): string => `(${expression} IS NOT NULL AND ${one(expression)})`;
  const holds = (): string => {
    if (row !== undefined) return path.sub === undefined ? 'FALSE' : known(row(path.sub.name));
    if (path.attribute.multiValued !== true) return known(places.single(path));
    const { from, part } = places.many(path);
    return path.sub === undefined
      ? 'FALSE'
      : `EXISTS (SELECT FROM ${from} WHERE ${known(part(path.sub.name))})`;
  };
  return operator === 'ne' ? `NOT ${holds()}` : holds();
}

function textual(
  expression: string,
  operator: Operator,
  value: string,
  caseExact: boolean,
  parameter: (value: unknown) => string,
): string {
  // PostgreSQL uses its indexes only if this expression is the same as in the indexes.
  const text = caseExact ? expression : `lower(${expression} COLLATE "C")`;
  const other = `${parameter(caseExact ? value : folded(value))}::text`;
  if (operator === 'co') return `position(${other} IN ${text}) > 0`;
  if (operator === 'sw') return `starts_with(${text}, ${other})`;
  if (operator === 'ew') return `right(${text}, length(${other})) = ${other}`;
  if (operator === 'eq') return `${text} = ${other}`;
  return `${text} COLLATE "C" ${ORDERED[operator]} ${other}`;
}
