import type { EntityManager } from 'typeorm';

/**
 * What modules do with their own table of things that bear attributes: columns `id`, `org_id`, `name`, `attributes`, `version`,
 * `updated_at`. `table` is a name of the code, never of a request.
 */

/** Names of those that bear each of the attributes, in order; attributes that nothing bears are missing. */
export async function namesByAttribute(
  db: EntityManager,
  table: string,
  orgId: string,
  attributes: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ attribute: string; names: string[] }[]>(
    `SELECT attribute, array_agg(name ORDER BY name) AS names
     FROM (SELECT name, unnest(attributes) AS attribute FROM ${table} WHERE org_id = $1 AND attributes && $2) AS bearer
     WHERE attribute = ANY ($2) GROUP BY attribute`,
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
