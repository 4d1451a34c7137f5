/** A statement with a placeholder: `E` for an expression, `T` for the expression cast to text. */
export interface Context {
  readonly name: string;
  readonly text: string;
}

const context = (name: string, text: string): Context => ({ name, text });

/** Statements around an expression. The first one is the plainest, `SELECT E`. */
export const CONTEXTS: readonly Context[] = [
  context('SELECT', 'SELECT E'),
  context('VALUES', 'VALUES (T)'),
  context('WHERE', 'SELECT 1 WHERE T IS NOT NULL'),
  context('ORDER BY', 'SELECT id FROM notes ORDER BY T'),
  context('GROUP BY', 'SELECT count(*) FROM notes GROUP BY T'),
  context('HAVING', 'SELECT count(*) FROM notes HAVING max(T) IS NOT NULL'),
  context('LIMIT', 'SELECT id FROM notes LIMIT coalesce(length(T), 1)'),
  context('OFFSET', 'SELECT id FROM notes OFFSET coalesce(length(T), 1)'),
  context('DISTINCT ON', 'SELECT DISTINCT ON (T) id FROM notes'),
  context('JOIN', 'SELECT 1 FROM notes a JOIN notes b ON T IS NOT NULL'),
  context('CASE', 'SELECT CASE WHEN T IS NULL THEN 1 ELSE 2 END'),
  context('COALESCE', 'SELECT coalesce(T, NULL)'),
  context('array', 'SELECT ARRAY[T]'),
  context('row', 'SELECT ROW(T, 1)'),
  context('subscript', `SELECT ('{"a": 1}'::jsonb)[T]`),
  context('EXISTS', 'SELECT EXISTS (SELECT E)'),
  context('IN', 'SELECT 1 WHERE T IN (SELECT T)'),
  context('sub-select in FROM', 'SELECT * FROM (SELECT E AS e) AS s'),
  context('LATERAL sub-select', 'SELECT * FROM notes, LATERAL (SELECT T AS e) AS s'),
  context('function in FROM', 'SELECT * FROM generate_series(1, coalesce(length(T), 1)) AS g'),
  context('TABLESAMPLE', 'SELECT * FROM notes TABLESAMPLE system (coalesce(length(T), 1) % 2)'),
  context('WITH', 'WITH s AS MATERIALIZED (SELECT E AS e) SELECT * FROM s'),
  context(
    'WITH RECURSIVE',
    'WITH RECURSIVE s(e) AS (SELECT T UNION ALL SELECT e FROM s WHERE false) SELECT * FROM s',
  ),
  context('UNION', 'SELECT NULL UNION ALL SELECT T'),
  context('FILTER', 'SELECT count(*) FILTER (WHERE T IS NOT NULL) FROM notes'),
  context('WITHIN GROUP', 'SELECT mode() WITHIN GROUP (ORDER BY T) FROM notes'),
  context('window', 'SELECT row_number() OVER (PARTITION BY T ORDER BY T) FROM notes'),
  context('XML', 'SELECT xmlelement(name a, T)'),
  context('XMLTABLE', `SELECT * FROM xmltable('/a' PASSING xmlelement(name a, T) COLUMNS b text PATH '.')`),
  context('JSON', `SELECT json_object('a': T)`),
  context('JSON_TABLE', `SELECT * FROM json_table(to_jsonb(T), '$' COLUMNS (a text PATH '$')) AS j`),
  context('argument', 'SELECT upper(lower(T))'),
  context('named argument', 'SELECT make_interval(secs => length(T))'),
  context('INSERT VALUES', 'INSERT INTO notes VALUES (1, T)'),
  context('INSERT SELECT', 'INSERT INTO notes SELECT 1, T'),
  context('ON CONFLICT', 'INSERT INTO orders VALUES (1) ON CONFLICT (id) DO UPDATE SET customer = T'),
  context('RETURNING', 'INSERT INTO notes VALUES (1) RETURNING T'),
  context('UPDATE SET', 'UPDATE notes SET body = T WHERE id = 1'),
  context('UPDATE WHERE', 'UPDATE notes SET id = 1 WHERE T IS NOT NULL'),
  context('DELETE', 'DELETE FROM notes WHERE T IS NOT NULL'),
  context('MERGE ON', 'MERGE INTO notes USING (SELECT 1) AS s ON T IS NOT NULL WHEN MATCHED THEN DELETE'),
  context(
    'MERGE SET',
    'MERGE INTO notes USING (SELECT 1) AS s ON notes.id = 1 WHEN MATCHED AND T IS NOT NULL THEN UPDATE SET body = T',
  ),
  context('COPY', 'COPY (SELECT E) TO STDOUT'),
  context('CREATE TABLE AS', 'CREATE TABLE made AS SELECT T AS t'),
  context('SELECT INTO', 'SELECT T AS t INTO made'),
  context('temporary table', 'CREATE TEMP TABLE made AS SELECT T AS t'),
  context('EXPLAIN ANALYZE', 'EXPLAIN (ANALYZE) SELECT E'),
  context('cursor', 'DECLARE cc CURSOR FOR SELECT E; FETCH ALL FROM cc'),
  context('cursor WITH HOLD', 'DECLARE cc CURSOR WITH HOLD FOR SELECT E; MOVE ALL IN cc'),
  context('prepared statement', 'PREPARE pp AS SELECT E; EXECUTE pp'),
  context('argument of EXECUTE', 'PREPARE pp (text) AS SELECT $1; EXECUTE pp((T))'),
  context('view', 'CREATE VIEW made AS SELECT T AS t; SELECT * FROM made'),
  context(
    'materialized view',
    'CREATE MATERIALIZED VIEW made AS SELECT T AS t WITH NO DATA; REFRESH MATERIALIZED VIEW made',
  ),
  context('rule', 'CREATE RULE made AS ON INSERT TO notes DO ALSO SELECT T; INSERT INTO notes VALUES (9)'),
  context(
    'condition of a rule',
    'CREATE RULE made AS ON INSERT TO notes WHERE T IS NOT NULL DO INSTEAD NOTHING; INSERT INTO notes VALUES (9)',
  ),
  context(
    'condition of a trigger',
    `CREATE TRIGGER made BEFORE UPDATE ON notes FOR EACH ROW WHEN (T IS NOT NULL)
       EXECUTE FUNCTION suppress_redundant_updates_trigger(); UPDATE notes SET id = 1`,
  ),
  context(
    'body of a trigger',
    `CREATE FUNCTION made() RETURNS trigger LANGUAGE plpgsql AS $t$ BEGIN PERFORM E; RETURN NEW; END $t$;
     CREATE TRIGGER made BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION made(); INSERT INTO notes VALUES (9)`,
  ),
  context('default', 'CREATE TABLE made (a int, t text DEFAULT T); INSERT INTO made VALUES (1)'),
  context('default of a column that is added', 'ALTER TABLE notes ADD t text DEFAULT T'),
  context('default that is set', 'ALTER TABLE notes ALTER body SET DEFAULT T; INSERT INTO notes VALUES (9)'),
  context(
    'generated column',
    'CREATE TABLE made (a int, t text GENERATED ALWAYS AS (T) STORED); INSERT INTO made VALUES (1)',
  ),
  context('check', 'CREATE TABLE made (a int, CHECK (T IS NOT NULL)); INSERT INTO made VALUES (1)'),
  context('check that is added', 'ALTER TABLE notes ADD CHECK (T IS NOT NULL)'),
  context('domain', 'CREATE DOMAIN made AS int CHECK (T IS NOT NULL); SELECT 1::made'),
  context('type that is changed', 'ALTER TABLE notes ALTER body TYPE text USING T'),
  context('index', 'CREATE INDEX ON notes ((T))'),
  context('condition of an index', 'CREATE INDEX ON notes (id) WHERE T IS NOT NULL'),
  context('statistics', 'CREATE STATISTICS made ON (T), (id + 1) FROM notes; ANALYZE notes'),
  context(
    'bound of a partition',
    'CREATE TABLE made (t text) PARTITION BY LIST (t); CREATE TABLE part PARTITION OF made FOR VALUES IN (T)',
  ),
  context(
    'key of a partition',
    'CREATE TABLE made (t text) PARTITION BY LIST ((T)); CREATE TABLE part PARTITION OF made DEFAULT; INSERT INTO made VALUES (1)',
  ),
  context(
    'policy',
    `CREATE POLICY made ON notes USING (T IS NOT NULL); ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
     SET LOCAL ROLE corpus_reader; SELECT * FROM notes; RESET ROLE`,
  ),
  context('body', 'CREATE FUNCTION made() RETURNS text LANGUAGE sql AS $t$ SELECT T $t$; SELECT made()'),
  context('atomic body', 'CREATE FUNCTION made() RETURNS text BEGIN ATOMIC SELECT T; END; SELECT made()'),
  context('RETURN', 'CREATE FUNCTION made() RETURNS text RETURN T; SELECT made()'),
  context(
    'default of a parameter',
    `CREATE FUNCTION made(t text DEFAULT T) RETURNS text LANGUAGE sql AS 'SELECT t'; SELECT made()`,
  ),
  context('procedure', 'CREATE PROCEDURE made() LANGUAGE sql AS $t$ SELECT T $t$; CALL made()'),
  context('argument of CALL', 'CALL promote(T)'),
  context('DO', 'DO $t$ BEGIN PERFORM E; END $t$'),
];

export function inContext({ text }: Context, expression: string): string {
  return text.replace(/\b[ET]\b/g, (letter) => (letter === 'E' ? expression : `(${expression})::text`));
}
