/** A value that only a reader of the table `secrets` can know. */
export const SECRET = 'S3CR3T-4711';

/**
 * SQL that creates the database on which every variant is tried. `corpus.known` stores the OIDs of tables, so
 * that tests find a table even after a variant has renamed it.
 */
export const WORLD = `
  CREATE TABLE doomed (id int PRIMARY KEY, note text);
  INSERT INTO doomed VALUES (1, 'one'), (2, 'two');
  CREATE TABLE orders (id int PRIMARY KEY, customer text, amount int);
  INSERT INTO orders VALUES (1, 'Grace', 10), (2, 'Edsger', 20), (3, 'Barbara', 30);
  CREATE TABLE accounts (id int PRIMARY KEY, owner text, balance int);
  INSERT INTO accounts VALUES (1, 'Grace', 100), (2, 'Edsger', 200);
  CREATE TABLE secrets (id int PRIMARY KEY, owner text, token text);
  INSERT INTO secrets VALUES (1, 'root', '${SECRET}');
  CREATE TABLE promotions (who text);
  CREATE TABLE notes (id int, body text);
  INSERT INTO notes VALUES (1, 'hello');
  CREATE PROCEDURE promote(who text) LANGUAGE sql AS $$ INSERT INTO promotions VALUES (who) $$;
  CREATE SCHEMA vault;
  CREATE TABLE vault.gold (id int);
  GRANT SELECT ON notes TO PUBLIC;
  CREATE SCHEMA corpus;
  CREATE TABLE corpus.known AS SELECT 'doomed'::regclass::oid AS doomed, 'orders'::regclass::oid AS orders,
    'accounts'::regclass::oid AS accounts, 'secrets'::regclass::oid AS secrets, 'vault.gold'::regclass::oid AS gold;
`;
