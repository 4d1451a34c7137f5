import type { EntityManager } from 'typeorm';

/**
 * What modules do with their own table of things that bear attributes: columns `id`, `org_id`, `name`, `attributes`, `version`,
 * `updated_at`. `table` is a name of the code, never of a request.
 */

/** So few attributes are looked for by their index. To compare many with all that a row bears takes seconds for a thousand rows. */
const FEW = 10;

/** Names of those that bear each of the attributes, in order; attributes that nothing bears are missing. */
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

/** Locked in the order of their ids, as everywhere. */
export async function takeAttributeOff(
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
