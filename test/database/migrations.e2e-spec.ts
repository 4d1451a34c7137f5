import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import ormconfig from '../../ormconfig';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import { migrate } from '../../src/platform/database/schema/migrate';
import { migrations } from '../../src/platform/database/migrations';
import { type TestDatabase, freshDatabase } from '../support/database';
import { ROOT } from '../support/root';
import { sourceFiles } from '../support/table-owners';

/** Table in which TypeORM stores the migrations that have run. */
const BOOKKEEPING = 'schema_migrations';

/** Statements about parts of the schema that only migrations define, and that entities do not describe. */
const KNOWN_TO_SQL_ALONE = [
  /^ALTER TABLE "\w+" DROP CONSTRAINT /,
  /^DROP INDEX /,
  /^ALTER TABLE "\w+" ALTER COLUMN "\w+" DROP DEFAULT$/,
  /^ALTER TABLE "organizations" DROP COLUMN "created_at"$/,
  // Columns for future sidecars. Nothing reads or writes them yet.
  /^ALTER TABLE "guardrail_rules" DROP COLUMN "sidecar_(spec|targets)"$/,
];

describe('the migrations', () => {
  let database: TestDatabase;
  let empty: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    empty = await freshDatabase('empty');
  });

  afterAll(() => Promise.all([database.drop(), empty.drop()]));

  it('make the tables, columns, types and nullabilities of the entities', async () => {
    const dataSource = new DataSource({ ...ormconfig.options, url: database.url } as never);
    await dataSource.initialize();
    try {
      // Statements that `migration:generate` would write.
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      const drift = upQueries
        .map(({ query }) => query)
        .filter((query) => !KNOWN_TO_SQL_ALONE.some((known) => known.test(query)));
      expect(drift).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('contain every entity of the app', () => {
    // Reads entities from the sources, because TypeORM also keeps entities of other tests in this process.
    const root = join(ROOT, 'src');
    const declared = sourceFiles(root).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^@Entity\([^]*?^export class (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(declared.length).toBeGreaterThan(20);
    const entities = ormconfig.options.entities as { name: string }[];
    expect(new Set(entities.map(({ name }) => name))).toEqual(new Set(declared));
  });

  it('put org_id, never null, into every table', async () => {
    const without = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class c
       WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT EXISTS (
         SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'org_id' AND attnotnull)
       ORDER BY 1`,
    );
    // Only tables of the whole installation may remain: keys, cursors of exports, progress of the archive.
    expect(without.map(({ name }) => name)).toEqual([
      'archive_progress',
      'evidence_keys',
      'export_cursors',
      'key_checks',
      'organizations',
      BOOKKEEPING,
      'ssh_host_keys',
      'ssh_user_ca_keys',
    ]);
  });

  it('lead every foreign key through org_id: no row can point into another organization', async () => {
    const astray = await database.query(
      `SELECT conname FROM pg_constraint f
       WHERE contype = 'f' AND confrelid <> 'organizations'::regclass AND NOT EXISTS (
         SELECT FROM unnest(conkey, confkey) AS pair (own, other)
         JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = own AND a.attname = 'org_id'
         JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = other AND b.attname = 'org_id')`,
    );
    expect(astray).toEqual([]);
  });

  it('name every constraint and index with a suffix for its kind', async () => {
    const named = await database.query<{ name: string; kind: string }>(
      // Skips constraints of type 'n' (NOT NULL), which PostgreSQL 18 lists too.
      `SELECT conname AS name, contype::text AS kind FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> '${BOOKKEEPING}'::regclass
         AND conparentid = 0
       UNION ALL
       SELECT relname, relkind::text FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
       WHERE relnamespace = 'public'::regnamespace AND indrelid <> '${BOOKKEEPING}'::regclass
         AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid) AND NOT c.relispartition`,
    );
    const ending: Record<string, RegExp> = {
      p: /_pk$/,
      f: /_fk$/,
      u: /_unique$/,
      c: /_check$/,
      i: /_index$/,
      I: /_index$/,
      // A trigger that runs at the end of the transaction counts as a constraint.
      t: /_at_commit$/,
    };
    const written = await sourceText();
    expect(named.length).toBeGreaterThan(40);
    for (const { name, kind } of named) {
      expect(name).toMatch(ending[kind] ?? /^no such kind$/);
      expect(written).toContain(` ${name} `);
    }
  });

  it('can be undone and done again, and leave nothing behind', async () => {
    await migrate(empty.url);
    const made = await schemaOf(empty);
    expect(made).toEqual(await schemaOf(database));

    const dataSource = await new DataSource(dataSourceOptions(empty.url, 2)).initialize();
    for (const _ of migrations) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.destroy();
    expect(await schemaOf(empty)).toEqual([]);

    await migrate(empty.url);
    expect(await schemaOf(empty)).toEqual(made);
  });

  it('run once under concurrent starts', async () => {
    const fresh = await freshDatabase('empty');
    const runs = await Promise.all([1, 2, 3].map(() => migrate(fresh.url)));
    expect(runs.flat()).toEqual(migrations.map((migration) => migration.name));
    expect(await migrate(fresh.url)).toEqual([]);
    await fresh.drop();
  });
});

/** Returns names and definitions of everything that a migration can create. */
function schemaOf(database: TestDatabase): Promise<object[]> {
  return database.query(
    `SELECT 'column' AS kind, attrelid::regclass || '.' || attname AS name,
       format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') AS what
     FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND relname <> '${BOOKKEEPING}'
     UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid <> '${BOOKKEEPING}'::regclass
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes
     WHERE schemaname = 'public' AND tablename <> '${BOOKKEEPING}'
     UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT 'type', typname, typtype::text FROM pg_type
     WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
     ORDER BY 1, 2, 3`,
  );
}

async function sourceText(): Promise<string> {
  const folder = join(ROOT, 'src/platform/database/migrations');
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}
