import type { QueryRunner } from 'typeorm';

/**
 * A frozen copy of the rule of src/kernel/text/names.ts as it was when this migration was released: a migration must do the
 * same whenever it runs.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]/gu;

/** What is seen of a name, which is what it is called from now on. Never empty, `.` or `..`. */
function seen(name: string): string {
  const visible = name
    .normalize('NFC')
    .replaceAll(INVISIBLE, (found) => (/\s/.test(found) ? ' ' : ''))
    .normalize('NFC')
    .trim();
  return visible === '' || visible === '.' || visible === '..' ? 'unnamed' : visible;
}

interface NameChange {
  readonly orgId: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly note?: string;
}

type Renamed = ReadonlyMap<string, string>;

/** Columns that hold names of groups. */
const GROUP_LISTS: readonly [table: string, columns: readonly string[]][] = [
  ['connections', ['access_groups']],
  ['api_keys', ['groups']],
  [
    'access_request_rules',
    ['approval_required_groups', 'reviewers_groups', 'force_approval_groups', 'skip_review_groups'],
  ],
  ['reviews', ['force_approval_groups']],
  ['connection_credentials', ['owner_groups']],
];
const GROUP_NAMES = [
  ['groups', 'name'],
  ['user_groups', 'group_name'],
  ['review_groups', 'group_name'],
] as const;
const RULE_GROUPS = ['reviewersGroups', 'approvalRequiredGroups', 'forceApprovalGroups'] as const;
const ATTRIBUTE_LISTS = ['connections', 'guardrail_rules', 'access_request_rules'] as const;

/**
 * Names that would be the same afterwards:
 * - **Attributes become one.** They only join rules to connections, so each connection keeps its rules and gets those
 *   that its label looked like: nothing is widened. The description of a label that goes is kept in the note.
 * - **Groups stay two.** A group gives access, so nobody may get into another one by this: where the name is taken, or
 *   gives a role, the group gets a number behind its name, everywhere at once, and means the same people and the same
 *   connections as before.
 * - **Rules, API keys and tags stay two**, with a number behind the name.
 *
 * Names of connections and of access request rules are ASCII since there are any, and need nothing.
 */
export async function normalizeStoredNames(db: QueryRunner): Promise<void> {
  const organizations = (await db.query('SELECT id FROM organizations')) as { id: string }[];
  for (const { id } of organizations) {
    await renameGroups(db, id);
    await mergeAttributes(db, id);
    await normalizeConnectionNames(db, id);
    await renameUnique(db, id, 'guardrail_rules', 'guardrails', 128);
    await renameUnique(db, id, 'api_keys', 'api-keys', 128, 'AND revoked_at IS NULL');
    await normalizeLabels(db, id);
  }
}

async function renameGroups(db: QueryRunner, orgId: string): Promise<void> {
  const used = [
    ...GROUP_NAMES.map(([table, column]) => `SELECT ${column} AS name FROM ${table} WHERE org_id = $1`),
    ...GROUP_LISTS.flatMap(([table, columns]) =>
      columns.map((column) => `SELECT unnest(${column}) FROM ${table} WHERE org_id = $1`),
    ),
  ].join(' UNION ');
  const names = await namesOf(db, used, orgId);
  const roles = [process.env['ADMIN_GROUP'] || 'admin', process.env['AUDITOR_GROUP'] || 'auditor'].map(seen);
  const renamed = distinctly(names, 256, roles);
  if (renamed.size === 0) return;
  const [before, after] = [[...renamed.keys()], [...renamed.values()]];
  for (const [table, column] of GROUP_NAMES)
    await db.query(
      `UPDATE ${table} SET ${column} = new.after FROM unnest($2::text[], $3::text[]) AS new (before, after)
       WHERE org_id = $1 AND ${column} = new.before`,
      [orgId, before, after],
    );
  // Issued credentials do not change; the groups that their owners were in are called otherwise now.
  await db.query('ALTER TABLE connection_credentials DISABLE TRIGGER connection_credentials_stay');
  for (const [table, columns] of GROUP_LISTS)
    for (const column of columns) await renameInList(db, orgId, table, column, renamed);
  await db.query('ALTER TABLE connection_credentials ENABLE TRIGGER connection_credentials_stay');
  await renameInReviews(db, orgId, renamed);
  await tell(db, orgId, 'groups', renamed);
}

/** The rules as they were when a review was asked for: by them its votes are counted. */
async function renameInReviews(db: QueryRunner, orgId: string, renamed: Renamed): Promise<void> {
  const reviews = (await db.query('SELECT id, rules FROM reviews WHERE org_id = $1', [orgId])) as {
    id: string;
    rules: Record<string, unknown>[];
  }[];
  const newName = (name: unknown): unknown => (typeof name === 'string' ? (renamed.get(name) ?? name) : name);
  for (const { id, rules } of reviews) {
    const changed = rules.map((rule) => ({
      ...rule,
      ...Object.fromEntries(
        RULE_GROUPS.flatMap((key) => {
          const groups = rule[key];
          return Array.isArray(groups) ? [[key, groups.map(newName)]] : [];
        }),
      ),
    }));
    if (JSON.stringify(changed) !== JSON.stringify(rules))
      await db.query('UPDATE reviews SET rules = $2 WHERE id = $1', [id, JSON.stringify(changed)]);
  }
}

async function mergeAttributes(db: QueryRunner, orgId: string): Promise<void> {
  const used = [
    'SELECT name FROM attributes WHERE org_id = $1',
    ...ATTRIBUTE_LISTS.map((table) => `SELECT unnest(attributes) FROM ${table} WHERE org_id = $1`),
  ].join(' UNION ');
  const names = await namesOf(db, used, orgId);
  const renamed = new Map(names.filter((name) => seen(name) !== name).map((name) => [name, seen(name)]));
  for (const table of ATTRIBUTE_LISTS) await renameInList(db, orgId, table, 'attributes', renamed);
  for (const [before, after] of renamed) {
    const key = [orgId, before];
    const [old] = (await db.query(
      'SELECT description FROM attributes WHERE org_id = $1 AND name = $2',
      key,
    )) as {
      description: string;
    }[];
    const moved = (await db.query(
      `INSERT INTO attributes (org_id, name, description, created_at, updated_at)
       SELECT org_id, $3, description, created_at, updated_at FROM attributes WHERE org_id = $1 AND name = $2
       ON CONFLICT ON CONSTRAINT attributes_pk DO NOTHING RETURNING name`,
      [...key, after],
    )) as object[];
    await db.query('DELETE FROM attributes WHERE org_id = $1 AND name = $2', key);
    const isMerged = old !== undefined && moved.length === 0;
    const note = isMerged ? `became one with ${after}; its description was: ${old.description}` : '';
    await record(db, {
      orgId,
      resource: 'attributes',
      resourceId: after,
      field: 'name',
      before,
      after,
      note,
    });
  }
}

/** Names of connections in access request rules: connections themselves have none but plain ones. */
async function normalizeConnectionNames(db: QueryRunner, orgId: string): Promise<void> {
  const names = await namesOf(
    db,
    'SELECT DISTINCT unnest(connection_names) AS name FROM access_request_rules WHERE org_id = $1',
    orgId,
  );
  const renamed = new Map(names.filter((name) => seen(name) !== name).map((name) => [name, seen(name)]));
  await renameInList(db, orgId, 'access_request_rules', 'connection_names', renamed);
  await tell(db, orgId, 'access-requests/rules', renamed, 'connection_names');
}

async function renameUnique(
  db: QueryRunner,
  orgId: string,
  table: string,
  resource: string,
  limit: number,
  among = '',
): Promise<void> {
  const names = await namesOf(db, `SELECT name FROM ${table} WHERE org_id = $1 ${among}`, orgId);
  for (const [before, after] of distinctly(names, limit, [])) {
    const rows = (await db.query(`SELECT id FROM ${table} WHERE org_id = $1 AND name = $2 ${among}`, [
      orgId,
      before,
    ])) as { id: string }[];
    for (const { id } of rows) {
      await db.query(`UPDATE ${table} SET name = $2 WHERE id = $1`, [id, after]);
      await record(db, { orgId, resource, resourceId: id, field: 'name', before, after });
    }
  }
}

/** What is only shown: names of people and resources, and tags. */
async function normalizeLabels(db: QueryRunner, orgId: string): Promise<void> {
  const people = (await db.query('SELECT id, subject, name FROM users WHERE org_id = $1', [orgId])) as {
    id: string;
    subject: string;
    name: string;
  }[];
  for (const { id, subject, name: before } of people) {
    const after = seen(before);
    if (after === before) continue;
    await db.query('UPDATE users SET name = $2 WHERE id = $1', [id, after]);
    await record(db, { orgId, resource: 'users', resourceId: subject, field: 'name', before, after });
  }
  const connections = (await db.query(
    'SELECT id, resource_name, connection_tags FROM connections WHERE org_id = $1',
    [orgId],
  )) as { id: string; resource_name: string; connection_tags: Record<string, string> }[];
  for (const { id: resourceId, resource_name, connection_tags } of connections) {
    const about = { orgId, resource: 'connections', resourceId };
    const name = resource_name === '' ? '' : seen(resource_name);
    const renamed = distinctly(Object.keys(connection_tags), 64, []);
    const tags = Object.fromEntries(
      Object.entries(connection_tags).map(([key, value]) => [
        renamed.get(key) ?? key,
        value === '' ? '' : seen(value),
      ]),
    );
    const [before, after] = [JSON.stringify(connection_tags), JSON.stringify(tags)];
    if (name === resource_name && before === after) continue;
    await db.query('UPDATE connections SET resource_name = $2, connection_tags = $3 WHERE id = $1', [
      resourceId,
      name,
      after,
    ]);
    if (name !== resource_name)
      await record(db, { ...about, field: 'resource_name', before: resource_name, after: name });
    if (before !== after) await record(db, { ...about, field: 'connection_tags', before, after });
  }
}

async function namesOf(db: QueryRunner, sql: string, orgId: string): Promise<string[]> {
  const rows = (await db.query(sql, [orgId])) as { name: string | null }[];
  return rows.flatMap(({ name }) => (name === null ? [] : [name])).sort();
}

/**
 * A new name for each of these that needs one; no two get the same, and none gets one that is in use. What only another
 * composition of the same letters changes is the same name by Unicode's own word, and may also be a reserved one.
 */
function distinctly(names: readonly string[], limit: number, reserved: readonly string[]): Renamed {
  const taken = new Set(names);
  const renamed = new Map<string, string>();
  for (const name of names) {
    const wanted = seen(name);
    if (wanted === name) continue;
    if (reserved.includes(wanted) && name.normalize('NFC') !== wanted) taken.add(wanted);
    let free = wanted;
    for (let number = 2; taken.has(free); number++) {
      const suffix = ` (${number})`;
      free = `${wanted.slice(0, limit - suffix.length)}${suffix}`;
    }
    taken.add(free);
    renamed.set(name, free);
  }
  return renamed;
}

/** In place; names that turn out to be the same are there once. */
async function renameInList(
  db: QueryRunner,
  orgId: string,
  table: string,
  column: string,
  renamed: Renamed,
): Promise<void> {
  if (renamed.size === 0) return;
  const [before, after] = [[...renamed.keys()], [...renamed.values()]];
  await db.query(
    `UPDATE ${table} SET ${column} = (
       SELECT array_agg(name ORDER BY place) FROM (
         SELECT coalesce(new.after, old.name) AS name, min(old.place) AS place
         FROM unnest(${column}) WITH ORDINALITY AS old (name, place)
         LEFT JOIN unnest($2::text[], $3::text[]) AS new (before, after) ON new.before = old.name
         GROUP BY 1) AS renamed)
     WHERE org_id = $1 AND ${column} && $2::text[]`,
    [orgId, before, after],
  );
}

async function tell(
  db: QueryRunner,
  orgId: string,
  resource: string,
  renamed: Renamed,
  field = 'name',
): Promise<void> {
  for (const [before, after] of renamed)
    await record(db, { orgId, resource, resourceId: after, field, before, after });
}

async function record(
  db: QueryRunner,
  { orgId, resource, resourceId, field, before, after, note = '' }: NameChange,
): Promise<void> {
  await db.query(
    `INSERT INTO name_changes (org_id, resource, resource_id, field, before, after, note)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [orgId, resource, resourceId, field, before, after, note],
  );
}
