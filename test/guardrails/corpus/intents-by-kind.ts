import {
  type Intent,
  committing,
  pattern,
  query,
  reads,
  script,
  statement,
  utility,
  words,
  writes,
} from './intent';
import { SECRET } from './world';

/** Acts of forbidden statement kinds: changes of objects and privileges, COPY, blocks and others. */
export const INTENTS_BY_KIND: readonly Intent[] = [
  {
    name: 'alter a table',
    forms: [
      utility('ALTER TABLE accounts ADD COLUMN hacked int'),
      utility('ALTER TABLE IF EXISTS ONLY accounts ADD hacked int DEFAULT 1'),
      utility('ALTER TABLE accounts RENAME COLUMN owner TO hacked'),
      utility('ALTER TABLE accounts RENAME owner TO hacked'),
      utility('ALTER TABLE accounts ADD balance2 int, ADD hacked int'),
      script(
        'CREATE TABLE parent (id int NOT NULL, owner text, balance int); ALTER TABLE accounts INHERIT parent; ALTER TABLE parent ADD hacked int',
      ),
    ],
    names: ['accounts', 'hacked'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_attribute a, corpus.known k WHERE a.attrelid = k.accounts AND a.attname = 'hacked')`,
    },
    textRules: [words('alter table'), pattern(String.raw`(?i)\balter\s+table\b`)],
    statementRules: [statement({ kinds: ['alter'] }), writes('accounts')],
  },
  {
    name: 'grant a privilege',
    forms: [
      utility('GRANT SELECT ON secrets TO PUBLIC'),
      utility('GRANT SELECT, INSERT ON TABLE secrets TO PUBLIC'),
      utility('GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC'),
      utility('GRANT ALL PRIVILEGES ON secrets TO pg_monitor, PUBLIC'),
    ],
    names: ['secrets'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_class c, corpus.known k WHERE c.oid = k.secrets AND c.relacl::text ~ '[{,]=[a-z]*r')`,
    },
    textRules: [words('grant select', 'grant all'), pattern(String.raw`(?i)\bgrant\b.+\bto\b`)],
    statementRules: [statement({ kinds: ['grant'] })],
  },
  {
    name: 'grant a role',
    forms: [
      utility('GRANT pg_read_all_data TO pg_monitor'),
      utility('GRANT pg_read_all_data TO pg_monitor WITH ADMIN OPTION'),
    ],
    names: ['pg_read_all_data', 'pg_monitor'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_auth_members WHERE roleid = 'pg_read_all_data'::regrole AND member = 'pg_monitor'::regrole)`,
    },
    afterwards: 'REVOKE pg_read_all_data FROM pg_monitor',
    textRules: [words('grant', 'add user'), pattern(String.raw`(?i)\bgrant\s+\w+\s+to\b`)],
    statementRules: [statement({ kinds: ['grant'] })],
  },
  {
    name: 'revoke',
    forms: [
      utility('REVOKE SELECT ON notes FROM PUBLIC'),
      utility('REVOKE ALL ON notes FROM PUBLIC CASCADE'),
      utility('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC'),
    ],
    names: ['notes'],
    effect: {
      probe: `SELECT NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = 'public.notes'::regclass AND c.relacl::text ~ '[{,]=[a-z]*r')`,
    },
    textRules: [words('revoke'), pattern(String.raw`(?i)^\s*revoke\b`)],
    statementRules: [statement({ kinds: ['revoke'] })],
  },
  {
    name: 'create a table',
    forms: [
      utility('CREATE TABLE planted (id int)'),
      utility('CREATE TABLE IF NOT EXISTS planted (LIKE notes INCLUDING ALL)'),
      utility('CREATE TABLE planted AS SELECT 1 AS id'),
      utility('CREATE TEMP TABLE planted (id int)'),
      utility('CREATE UNLOGGED TABLE planted () INHERITS (notes)'),
      utility('CREATE TABLE planted (id int) PARTITION BY LIST (id)'),
      utility('CREATE VIEW planted AS SELECT 1 AS id'),
      utility('CREATE OR REPLACE TEMP VIEW planted AS SELECT 1 AS id'),
      utility('CREATE RECURSIVE VIEW planted (n) AS VALUES (1)'),
      utility('CREATE MATERIALIZED VIEW planted AS SELECT 1 AS id WITH NO DATA'),
      utility('CREATE SEQUENCE planted'),
      utility('CREATE TYPE planted AS (id int)'),
      utility('CREATE INDEX planted ON notes (id)'),
      utility('CREATE SCHEMA cellar CREATE TABLE planted (id int)'),
      utility('SELECT 1 AS id INTO planted'),
      utility('SELECT * INTO TEMP TABLE planted FROM notes'),
      script('PREPARE p AS SELECT 1 AS id; CREATE TABLE planted AS EXECUTE p'),
    ],
    names: ['planted'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'planted' AND (relpersistence <> 't' OR relnamespace = pg_my_temp_schema()))`,
    },
    textRules: [
      words('create table', 'create view'),
      pattern(String.raw`(?i)\bcreate\s+(temp\s+)?(table|view|schema)\b`),
    ],
    statementRules: [statement({ kinds: ['create'] })],
  },
  {
    name: 'copy a table out',
    forms: [
      utility('COPY secrets TO STDOUT'),
      utility('COPY secrets (id, token) TO STDOUT (FORMAT csv, HEADER)'),
      utility('COPY BINARY secrets TO STDOUT'),
      utility('COPY (SELECT token FROM secrets) TO STDOUT'),
      utility('COPY (DELETE FROM secrets RETURNING token) TO STDOUT'),
    ],
    names: ['secrets', 'token'],
    effect: { output: SECRET },
    textRules: [words('copy secrets'), pattern(String.raw`(?i)\bcopy\b.+\bto\s+stdout\b`)],
    statementRules: [statement({ kinds: ['copy'] }), reads('secrets')],
  },
  {
    name: 'read a server file by COPY',
    forms: [
      utility(`COPY notes (body) FROM 'postgresql.auto.conf'`),
      utility(`COPY notes (body) FROM 'postgresql.auto.conf' WITH (FORMAT text)`),
      script(
        `CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw; CREATE FOREIGN TABLE t (a text) SERVER f OPTIONS (filename 'postgresql.auto.conf'); INSERT INTO notes (body) TABLE t`,
      ),
    ],
    names: ['notes', 'body'],
    effect: { probe: `SELECT EXISTS (SELECT FROM public.notes WHERE body LIKE '%Do not edit%')` },
    textRules: [words('postgresql.auto.conf'), pattern(String.raw`(?i)\bcopy\b.+\bfrom\s+'`)],
    statementRules: [statement({ kinds: ['copy_file'] })],
  },
  {
    name: 'run a program by COPY FROM',
    forms: [
      utility(`COPY notes (id) FROM PROGRAM 'echo 777'`),
      utility(`COPY notes (id) FROM PROGRAM 'echo 777' WITH (FORMAT csv)`),
      script(
        `CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw; CREATE FOREIGN TABLE t (a int) SERVER f OPTIONS (program 'echo 777'); INSERT INTO notes (id) TABLE t`,
      ),
      script(
        `CREATE EXTENSION file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw; CREATE FOREIGN TABLE t (a int) SERVER f OPTIONS (filename '/dev/null'); ALTER FOREIGN TABLE t OPTIONS (DROP filename, ADD program 'echo 777'); INSERT INTO notes (id) TABLE t`,
      ),
    ],
    names: ['notes', 'id'],
    effect: { probe: 'SELECT EXISTS (SELECT FROM public.notes WHERE id = 777)' },
    textRules: [words('from program'), pattern(String.raw`(?i)\bfrom\s+program\b`)],
    statementRules: [statement({ kinds: ['copy_program'] })],
  },
  {
    name: 'run a program by COPY TO',
    forms: [
      utility(`COPY notes TO PROGRAM 'cat > /dev/null; exit 42'`),
      utility(`COPY (SELECT 1) TO PROGRAM 'cat > /dev/null; exit 42' (FORMAT csv)`),
    ],
    names: ['notes'],
    effect: { output: 'exited with exit code 42' },
    textRules: [words('to program'), pattern(String.raw`(?i)\bto\s+program\b`)],
    statementRules: [statement({ kinds: ['copy_program'] })],
  },
  {
    name: 'call a procedure',
    forms: [
      utility(`CALL promote('mallory')`),
      utility(`CALL promote(who => 'mallory')`),
      script(`ALTER PROCEDURE promote(text) RENAME TO harmless; CALL harmless('mallory')`),
    ],
    names: ['promote'],
    effect: { probe: `SELECT EXISTS (SELECT FROM public.promotions WHERE who = 'mallory')` },
    textRules: [words('call promote'), pattern(String.raw`(?i)\bcall\s+promote\b`)],
    statementRules: [statement({ kinds: ['call'] }), statement({ functions: ['promote'] })],
  },
  {
    name: 'run a block',
    forms: [
      utility(`DO $$ BEGIN INSERT INTO promotions VALUES ('mallory'); END $$`),
      utility(`DO LANGUAGE plpgsql 'BEGIN INSERT INTO promotions VALUES (''mallory''); END'`),
      utility(
        `DO $x$ BEGIN EXECUTE 'INSERT INTO promo' || 'tions VALUES ($1)' USING 'mallory'; END $x$ LANGUAGE plpgsql`,
      ),
    ],
    names: [],
    effect: { probe: `SELECT EXISTS (SELECT FROM public.promotions WHERE who = 'mallory')` },
    textRules: [words('do $$'), pattern(String.raw`(?i)^\s*do\b`)],
    statementRules: [statement({ kinds: ['do'] }), writes('promotions')],
  },
  {
    name: 'set the role',
    forms: [
      utility('SET ROLE pg_monitor'),
      utility('SET SESSION ROLE pg_monitor'),
      utility('SET SESSION AUTHORIZATION pg_monitor'),
      utility("SET ROLE TO 'pg_monitor'"),
      query("SELECT set_config('role', 'pg_monitor', false)"),
      script(
        "CREATE AGGREGATE a (text, boolean) (SFUNC = set_config, STYPE = text, INITCOND = 'role'); SELECT a('pg_monitor', false)",
      ),
    ],
    names: ['pg_monitor'],
    effect: { session: `SELECT current_user = 'pg_monitor'` },
    textRules: [
      words('set role', 'set session'),
      pattern(String.raw`(?i)^\s*set\s+(session\s+)?(role|authorization)\b`),
    ],
    statementRules: [statement({ kinds: ['set'] })],
  },
  {
    name: 'add a policy, trigger or rule',
    forms: [
      utility('CREATE RULE planted AS ON INSERT TO accounts DO INSTEAD NOTHING'),
      utility('CREATE OR REPLACE RULE planted AS ON DELETE TO accounts DO INSTEAD NOTHING'),
      utility('CREATE POLICY planted ON accounts USING (true)'),
      utility(
        'CREATE TRIGGER planted BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      ),
    ],
    names: ['planted', 'accounts'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_rewrite WHERE rulename = 'planted' UNION ALL SELECT FROM pg_policy WHERE polname = 'planted' UNION ALL SELECT FROM pg_trigger WHERE tgname = 'planted')`,
    },
    textRules: [words('create rule', 'create policy', 'create trigger')],
    statementRules: [statement({ kinds: ['create'] }), writes('accounts')],
  },
  {
    name: 'comment on a table',
    forms: [
      utility("COMMENT ON TABLE accounts IS 'hacked'"),
      utility("COMMENT ON COLUMN accounts.owner IS 'hacked'"),
    ],
    names: ['accounts'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_description d, corpus.known k WHERE d.objoid = k.accounts)`,
    },
    textRules: [words('comment on')],
    statementRules: [statement({ kinds: ['comment'] }), writes('accounts')],
  },
  {
    name: 'leave a prepared statement',
    forms: [utility('PREPARE later AS SELECT 1'), utility('PREPARE later (int) AS SELECT $1')],
    names: ['later'],
    effect: { session: `SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'later')` },
    textRules: [words('prepare later')],
    statementRules: [statement({ kinds: ['prepare'] })],
  },
  {
    name: 'reindex, vacuum or cluster',
    forms: [
      committing('VACUUM ANALYZE accounts'),
      committing('VACUUM (ANALYZE) accounts'),
      committing('ANALYZE accounts'),
    ],
    names: ['accounts'],
    effect: {
      probe: `SELECT EXISTS (SELECT FROM pg_class c, corpus.known k WHERE c.oid = k.accounts AND c.reltuples >= 0)`,
    },
    textRules: [words('vacuum', 'analyze')],
    statementRules: [statement({ kinds: ['vacuum', 'analyze'] })],
  },
];
