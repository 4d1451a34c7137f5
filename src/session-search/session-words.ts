import type { EntityManager } from 'typeorm';
import type { SessionListQuery } from './session-list-query';
import type { Term, TextQuery } from './text-query';

/** Takes a value, gives what stands for it in SQL. */
type Bind = (value: unknown) => string;

/** Looking through that many sessions one by one takes no longer than a page of any other filter. */
const FEW = 1_000;

/** The sessions of which an input has the words, where they are few; `many` where a walk along the list meets them soon. */
export type Worded = readonly string[] | 'many';

/**
 * SQL: whether the row of `session_texts` by that name has it. A search for nothing but what is excluded would find
 * nearly everything, so that what the database takes for no word at all finds nothing. One word or phrase that is in a row is in
 * one of the inputs that share it; of several, the row is asked for first, by its index, and then each of its inputs.
 */
export function hasWords({ terms }: TextQuery, bind: Bind): (row: string) => string {
  const phrase = ({ words, goesOn }: Term): string => `session_phrase(${bind(words)}, ${bind(goesOn)})`;
  const wanted = terms
    .filter((term) => !term.isExcluded)
    .map(phrase)
    .join(' && ');
  const isThere = (row: string): string => `numnode(${wanted}) > 0 AND ${row}.words @@ (${wanted})`;
  if (terms.length === 1) return isThere;
  const excluded = terms.filter((term) => term.isExcluded).map((term) => `!!${phrase(term)}`);
  const all = [wanted, ...excluded].join(' && ');
  return (row) =>
    `${isThere(row)} AND EXISTS (SELECT FROM session_inputs(${row}.words) AS input (words) WHERE input.words @@ (${all}))`;
}

/**
 * Looks for the words alone, by their index and in no order, until there are more than a few. How many there are
 * decides how they are best looked for among other filters; the planner's guess is often wrong for words.
 * To be asked in a transaction, whose plans it leaves as they were.
 */
export async function sessionsWith(
  db: EntityManager,
  orgId: string,
  { from, to }: SessionListQuery,
  text: TextQuery,
): Promise<Worded> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [
    `x.org_id = ${bind(orgId)}`,
    hasWords(text, bind)('x'),
    ...(from === undefined ? [] : [`x.session_start >= ${bind(from)}`]),
    // To the millisecond, as in SessionSearch.
    ...(to === undefined ? [] : [`x.session_start < ${bind(new Date(to.getTime() + 1))}`]),
  ];
  const limited = `SELECT x.session_id FROM session_texts AS x WHERE ${conditions.join(' AND ')} LIMIT ${FEW + 1}`;
  await db.query(`SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off`);
  const [found] = await db.query<[{ rows: number; ids: string[] | null }]>(
    `SELECT count(*)::int AS rows, array_agg(DISTINCT session_id) AS ids FROM (${limited}) AS found`,
    values,
  );
  await db.query(`SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL enable_indexscan TO DEFAULT`);
  return found.rows > FEW ? 'many' : (found.ids ?? []);
}
