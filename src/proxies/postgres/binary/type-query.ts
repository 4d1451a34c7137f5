import type { Client } from 'pg';
import { MONEY_SAMPLE, type MoneyStyle, moneyStyleOf } from './numbers';
import type { TypeEntry } from './type-entry';

/** Types and the format of money, as read from a target. */
export interface LearnedTypes {
  readonly types: ReadonlyMap<number, TypeEntry>;
  readonly money: MoneyStyle | undefined;
}

/**
 * Selects types and, recursively, the types that they contain. Selects the send function by its internal
 * name, because its SQL name may differ. Reads columns that older servers lack through jsonb, so that the
 * query works there too. The recursion uses indexes, because a catalog has rows for each column and type of
 * the target.
 */
export const typesQuery = (oids: readonly number[]): string => `
  WITH RECURSIVE known(oid) AS (
    SELECT unnest(ARRAY[${oids.join(', ')}]::oid[])
    UNION
    SELECT part.oid FROM known CROSS JOIN LATERAL (
      SELECT typelem FROM pg_type t WHERE t.oid = known.oid
      UNION ALL
      SELECT rngsubtype FROM pg_range WHERE rngtypid = known.oid
      UNION ALL
      SELECT rngtypid FROM pg_range r WHERE to_jsonb(r)->>'rngmultitypid' = known.oid::text
      UNION ALL
      SELECT atttypid FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
      WHERE t.oid = known.oid AND t.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped
    ) part(oid)
  )
  SELECT t.oid::text, t.typname::text AS name, p.prosrc AS send, t.typdelim::text AS delimiter,
         (CASE p.prosrc
            WHEN 'array_send' THEN t.typelem
            WHEN 'range_send' THEN (SELECT rngsubtype FROM pg_range WHERE rngtypid = t.oid)
            WHEN 'multirange_send' THEN
              (SELECT rngtypid FROM pg_range r WHERE to_jsonb(r)->>'rngmultitypid' = t.oid::text)
          END)::text AS of,
         (SELECT json_agg(atttypid::int8 ORDER BY attnum) FROM pg_attribute
          WHERE t.typrelid <> 0 AND attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped) AS fields
  FROM known JOIN pg_type t ON t.oid = known.oid JOIN pg_proc p ON p.oid = t.typsend`;

/** Maximum number of types that one open transaction may have created. */
const OPEN_TYPES = 10_000;

/**
 * Selects the types that the open transaction created: types whose catalog row is not older than the oldest
 * open transaction. The result may include a few other types. Returns one row with one value, a JSON array.
 * The client controls the search path, so every name and operator is qualified.
 */
export const OPEN_TYPES_QUERY = `
  SELECT pg_catalog.json_agg(pg_catalog.row_to_json(open)) FROM (
    SELECT t.oid, t.typname AS name, p.prosrc AS send, t.typdelim AS delimiter,
           CASE WHEN p.prosrc OPERATOR(pg_catalog.=) 'array_send' THEN t.typelem
                WHEN p.prosrc OPERATOR(pg_catalog.=) 'range_send'
                  THEN (SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE r.rngtypid OPERATOR(pg_catalog.=) t.oid)
                WHEN p.prosrc OPERATOR(pg_catalog.=) 'multirange_send'
                  THEN (SELECT r.rngtypid FROM pg_catalog.pg_range r
                        WHERE (pg_catalog.to_jsonb(r) OPERATOR(pg_catalog.->>) 'rngmultitypid')
                          OPERATOR(pg_catalog.=) t.oid::pg_catalog.text)
           END AS of,
           (SELECT pg_catalog.json_agg(a.atttypid::pg_catalog.int8 ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
            WHERE t.typrelid OPERATOR(pg_catalog.<>) 0::pg_catalog.oid AND a.attrelid OPERATOR(pg_catalog.=) t.typrelid
              AND a.attnum OPERATOR(pg_catalog.>) 0::pg_catalog.int2 AND NOT a.attisdropped) AS fields
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_proc p ON p.oid OPERATOR(pg_catalog.=) t.typsend::pg_catalog.oid
    WHERE pg_catalog.age(t.xmin) OPERATOR(pg_catalog.<=) pg_catalog.age(
      (pg_catalog.txid_snapshot_xmin(pg_catalog.txid_current_snapshot()) OPERATOR(pg_catalog.%) 4294967296::pg_catalog.int8)
        ::pg_catalog.text::pg_catalog.xid)
    LIMIT ${OPEN_TYPES}
  ) open`;

const MONEY = `SELECT (${MONEY_SAMPLE}::int8::money)::text AS positive, ((-${MONEY_SAMPLE})::int8::money)::text AS negative`;

interface Row {
  readonly oid: string;
  readonly name: string;
  readonly send: string;
  readonly delimiter: string;
  readonly of: string | null;
  readonly fields: number[] | null;
}

/** Begins a transaction in which names resolve in the system catalog. */
const BEGIN = 'BEGIN READ ONLY; SET LOCAL search_path = pg_catalog; SET LOCAL statement_timeout = 5000';

/** Reads types, and the types that they contain, from the catalog. Omits types that the catalog lacks. */
export async function learnTypes(client: Client, oids: readonly number[]): Promise<LearnedTypes> {
  await client.query(BEGIN);
  const { rows } = await client.query<Row>(typesQuery(oids));
  const money = await client.query<{ positive: string; negative: string }>(MONEY);
  await client.query('COMMIT');
  const [sample] = money.rows;
  return { types: entriesOf(rows), money: sample && moneyStyleOf(sample.positive, sample.negative) };
}

/** @param json result of `OPEN_TYPES_QUERY`; undefined if the open transaction created no types */
export function openTypesOf(json: string | undefined): ReadonlyMap<number, TypeEntry> {
  return entriesOf((JSON.parse(json ?? 'null') as Row[] | null) ?? []);
}

function entriesOf(rows: readonly Row[]): ReadonlyMap<number, TypeEntry> {
  const types = new Map<number, TypeEntry>();
  for (const { oid, name, send, delimiter, of, fields } of rows)
    types.set(Number(oid), {
      name,
      send,
      delimiter,
      ...(of !== null && { of: Number(of) }),
      ...(fields !== null && { fields }),
    });
  return types;
}

/**
 * Reads the columns of a table by number, and whether they are generated.
 * Older servers have no generated columns.
 */
export async function learnGenerated(client: Client, table: number): Promise<Map<number, boolean>> {
  await client.query(BEGIN);
  const { rows } = await client.query<{ number: number; isGenerated: boolean }>(
    `SELECT attnum AS number, coalesce(to_jsonb(a)->>'attgenerated', '') <> '' AS "isGenerated"
     FROM pg_attribute a WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  await client.query('COMMIT');
  return new Map(rows.map(({ number, isGenerated }) => [number, isGenerated]));
}
