-- Statements of programs with a window at their start: a message each, in the order of the program.
-- Seen at the PostgreSQL port in a trial: pgAdmin 4, DBeaver (by pgJDBC), Active Record.

-- pgAdmin 4
SET DateStyle=ISO; SET client_min_messages=notice; SELECT set_config('bytea_output','hex',false) FROM pg_show_all_settings() WHERE name = 'bytea_output'; SET client_encoding='UTF-8';
SELECT set_config('bytea_output','hex',false) FROM pg_catalog.pg_settings WHERE name = 'bytea_output';
SELECT version(); SELECT pg_catalog.pg_is_in_recovery();
SELECT db.datname, db.datallowconn, db.datistemplate FROM pg_catalog.pg_database db WHERE datname = current_database();
SELECT c.relname, pg_catalog.pg_total_relation_size(c.oid) FROM pg_catalog.pg_class c WHERE relname='customers';
SELECT obj_description('customers'::regclass);

-- DBeaver
SET extra_float_digits = 3; SET application_name = 'PostgreSQL JDBC Driver';
SELECT setting FROM pg_settings WHERE name='max_identifier_length';
SHOW TRANSACTION ISOLATION LEVEL;
SELECT current_schema(),session_user;
SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs}'::text[]);
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_namespace n ON n.oid=c.relnamespace WHERE c.relname = 'customers';
SELECT a.attname, pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_attrdef d ON a.attrelid=d.adrelid AND a.attnum=d.adnum WHERE a.attrelid='customers'::regclass AND a.attnum>0 ORDER BY a.attnum;

-- Active Record
SET client_encoding TO 'unicode';
SET client_min_messages TO 'warning';
SET standard_conforming_strings = on;
SET intervalstyle = iso_8601;
SET SESSION timezone TO 'UTC';
SELECT t.oid, t.typname FROM pg_type as t WHERE t.typname IN ('int2', 'int4');
SHOW max_identifier_length;
SHOW search_path;
