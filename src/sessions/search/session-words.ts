import type { EntityManager } from 'typeorm';
import { INPUT_GOES_ON } from '../format/input-texts';
import type { SessionListing } from './session-list-query';
import type { Term, TextQuery } from './text-query';

/** Binds a value. Returns its placeholder in SQL. */
type Bind = (value: unknown) => string;

/** Maximum matching rows for a search by session ids. Up to this number, it is as fast as other filters. */
const FEW = 1_000;

/**
 * Ids of the sessions with the searched words. `many` if more than `FEW` rows match, because then a scan of
 * the list soon finds enough sessions for a page.
 */
export type SessionsWithWords = readonly string[] | 'many';

/**
 * Returns an SQL condition on the row of `session_texts` with this alias. Nothing matches if the database
 * finds no word in the included terms, because the exclusions alone would match nearly everything. A row may
 * have several inputs. A single term is checked on the row. Several terms are checked on the row first, by
 * the index, and then on each input. If the query has exclusions, or has no phrases, only rows with whole
 * inputs match.
 */
export function hasWords({ terms }: TextQuery, bind: Bind): (row: string) => string {
  const phrase = ({ words, goesOn }: Term): string => `session_phrase(${bind(words)}, ${bind(goesOn)})`;
  const included = terms.filter((term) => !term.isExcluded).map(phrase);
  const excluded = terms.filter((term) => term.isExcluded).map((term) => `!!${phrase(term)}`);
  const wanted = included.join(' && ');
  const whole = `${wanted} && !!${bind(INPUT_GOES_ON)}::tsquery`;
  // Rows with parts of an input are only needed for phrases. A very frequent word causes hundreds of such
  // rows.
  const isWholeOnly = included.map((one) => `numnode(${one}) <= 1`).join(' AND ');
  const inRow = excluded.length > 0 ? whole : `CASE WHEN ${isWholeOnly} THEN ${whole} ELSE ${wanted} END`;
  const isThere = (row: string): string => `numnode(${wanted}) > 0 AND ${row}.words @@ (${inRow})`;
  if (terms.length === 1) return isThere;
  const all = [wanted, ...excluded].join(' && ');
  return (row) =>
    `${isThere(row)} AND EXISTS (SELECT FROM session_inputs(${row}.words) AS input (words) WHERE input.words @@ (${all}))`;
}

/**
 * Searches only the words, unordered and by their index, and stops after a few matches. The number of matches
 * decides how the words are combined with other filters, because the planner's estimate is often wrong for
 * words. Needs a transaction. Resets the planner settings that it changes.
 */
export async function sessionsWith(
  db: EntityManager,
  orgId: string,
  { from, to }: Pick<SessionListing, 'from' | 'to'>,
  text: TextQuery,
): Promise<SessionsWithWords> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [
    `x.org_id = ${bind(orgId)}`,
    hasWords(text, bind)('x'),
    ...(from === undefined ? [] : [`x.session_start >= ${bind(from)}`]),
    // Includes the whole last millisecond, as `SessionSearch` does.
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
