import type { EntityManager } from 'typeorm';

/**
 * Queries for tables of resources with attributes: columns `id`, `org_id`, `name`, `attributes`, `version`,
 * `updated_at`. `table` must be a constant of the code, never a value of a request.
 */

/**
 * Maximum number of attributes for which the query uses `attributes && $2`, and so the index. With many
 * attributes, this condition takes seconds for a thousand rows.
 */
const FEW = 10;

/** Returns the sorted names of the rows with each attribute. Leaves out attributes that no row has. */
export async function namesByAttribute(
  db: EntityManager,
  table: string,
  orgId: string,
  attributes: readonly string[],
): Promise<Map<string, string[]>> {
  const found = attributes.length <= FEW ? 'AND attributes && $2' : '';
  const rows = await db.query<{ attribute: string; names: string[] }[]>(
    `SELECT attribute, array_agg(name ORDER BY name) AS names
     FROM (SELECT name, unnest(attributes) AS attribute FROM ${table} WHERE org_id = $1 ${found}) AS bearer
     JOIN (SELECT DISTINCT unnest($2::text[]) AS attribute) AS asked USING (attribute) GROUP BY attribute`,
    [orgId, attributes],
  );
  return new Map(rows.map(({ attribute, names }) => [attribute, names]));
}

/** Removes an attribute from all rows. Locks the rows in the order of their ids, as all code does. */
export async function removeAttribute(
  db: EntityManager,
  table: string,
  orgId: string,
  attribute: string,
): Promise<void> {
  await db.query(
    `UPDATE ${table} SET attributes = array_remove(attributes, $2), version = version + 1, updated_at = now()
     WHERE id = ANY (ARRAY(SELECT id FROM ${table} WHERE org_id = $1 AND attributes @> ARRAY[$2]
       ORDER BY id FOR NO KEY UPDATE))`,
    [orgId, attribute],
  );
}
