-- Ordinary statements of applications, reports, migrations and psql: no rule may refuse them for what they do not do.
-- Statements are separated by lines `-- next`. Such a line may say what the statement does on purpose, so that rules
-- against that must refuse it, and all other rules must not: kinds of statements, `without_where`, `table:name` for a
-- table that is written, and `hidden` for what no text tells.
-- next
SELECT 1
-- next
SELECT version();
-- next
SELECT now() AT TIME ZONE 'UTC' AS utc_now
-- next
select current_user, session_user, current_database(), current_schema
-- next
SELECT id, customer, amount FROM orders WHERE id = 42
-- next
SELECT * FROM orders ORDER BY id DESC LIMIT 50 OFFSET 100
-- next
SELECT id FROM orders WHERE customer = $1 AND amount > $2 FOR UPDATE SKIP LOCKED
-- next
SELECT o.id, c.name, o.amount
FROM orders o
JOIN customers c ON c.id = o.customer_id
WHERE o.placed_at >= date_trunc('month', now())
ORDER BY o.placed_at DESC
-- next
SELECT c.id, c.name, count(o.id) AS order_count, coalesce(sum(o.amount), 0) AS total
FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
GROUP BY c.id, c.name HAVING count(o.id) > 3
-- next
SELECT DISTINCT ON (customer_id) customer_id, id, placed_at FROM orders ORDER BY customer_id, placed_at DESC
-- next
SELECT a.owner, a.balance FROM accounts AS a WHERE a.balance < 0 AND NOT a.closed
-- next
SELECT deleted_at, updated_at, created_at, dropped_at FROM invoices WHERE deleted_at IS NULL
-- next
SELECT updated_by, deleted_by, truncated, is_dropped FROM events WHERE truncated = false
-- next
SELECT count(*) FILTER (WHERE status = 'deleted') AS deleted, count(*) FILTER (WHERE status = 'active') AS active FROM users
-- next
SELECT 'drop table orders' AS what_not_to_type
-- next
SELECT 'Please do not DELETE FROM orders without WHERE; it hurts.' AS advice
-- next
SELECT message FROM tickets WHERE message ILIKE '%drop table%' OR message ILIKE '%truncate%'
-- next
SELECT id, subject FROM tickets WHERE subject = 'How do I grant all privileges?'
-- next
SELECT "drop", "delete", "table" FROM "reserved words" WHERE "select" = 'update'
-- next
SELECT t."truncate" AS "grant" FROM audit_flags t
-- next
SELECT * FROM "Orders 2024" WHERE "Total; DROP TABLE" > 10
-- next
SELECT $$ DROP TABLE doomed; $$ AS quoted_in_dollars
-- next
SELECT $note$It's a "quote"; DELETE FROM accounts$note$
-- next
SELECT E'line one\nline two\ttabbed \'quoted\''
-- next
SELECT U&'d\0061t\+000061' AS data
-- next
SELECT 'it''s', 'a ''quoted'' word', ''
-- next
SELECT 'one '
       'two' AS joined
-- next
SELECT '\' AS backslash, 'C:\temp\drop' AS path
-- next
SELECT 1 -- DROP TABLE orders;
-- next
SELECT /* DELETE FROM orders */ id FROM orders
-- next
/* monthly report, replaces the one that was dropped */
SELECT date_trunc('month', placed_at) AS month, sum(amount) FROM orders GROUP BY 1 ORDER BY 1
-- next
-- name: find_customer_by_email
SELECT * FROM customers WHERE lower(email) = lower($1) LIMIT 1;
-- next
/* a /* nested */ comment; TRUNCATE orders */ SELECT 2
-- next
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) AS n FROM orders
-- next
SELECT id, amount, sum(amount) OVER w AS running, lag(amount) OVER w AS before
FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
-- next
SELECT customer_id, ntile(4) OVER (ORDER BY sum(amount)) AS quartile FROM orders GROUP BY customer_id
-- next
SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95 FROM requests
-- next
SELECT mode() WITHIN GROUP (ORDER BY browser) FROM visits
-- next
SELECT rank() OVER (ORDER BY balance DESC), owner FROM accounts
-- next
SELECT first_value(price) OVER (ORDER BY valid_from RANGE BETWEEN '7 days' PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM prices
-- next
WITH recent AS (SELECT * FROM orders WHERE placed_at > now() - interval '7 days')
SELECT customer_id, count(*) FROM recent GROUP BY customer_id
-- next
WITH RECURSIVE tree AS (
  SELECT id, parent_id, name, 1 AS depth FROM categories WHERE parent_id IS NULL
  UNION ALL
  SELECT c.id, c.parent_id, c.name, t.depth + 1 FROM categories c JOIN tree t ON t.id = c.parent_id
)
SELECT * FROM tree ORDER BY depth, name
-- next
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT sum(i) FROM n
-- next
WITH RECURSIVE g AS (SELECT id, manager_id FROM staff WHERE id = 7 UNION ALL SELECT s.id, s.manager_id FROM staff s JOIN g ON s.manager_id = g.id) CYCLE id SET is_cycle USING path SELECT * FROM g
-- next
WITH a AS MATERIALIZED (SELECT id FROM users), b AS NOT MATERIALIZED (SELECT id FROM admins) SELECT * FROM a EXCEPT SELECT * FROM b
-- next
WITH deleted AS (SELECT * FROM users WHERE deleted), truncate_me AS (SELECT 1) SELECT * FROM deleted, truncate_me
-- next
SELECT id FROM a UNION SELECT id FROM b INTERSECT SELECT id FROM c ORDER BY 1
-- next
(SELECT id FROM users LIMIT 1) UNION ALL (SELECT id FROM admins LIMIT 1)
-- next
VALUES (1, 'one'), (2, 'two')
-- next
TABLE customers
-- next
TABLE accounts ORDER BY id LIMIT 3
-- next
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t (id, letter)
-- next
SELECT payload -> 'user' ->> 'email' FROM events WHERE payload @> '{"type": "delete"}'
-- next
SELECT payload #>> '{items,0,sku}' FROM events WHERE payload ? 'items'
-- next
SELECT jsonb_path_query(payload, '$.items[*] ? (@.price > 10)') FROM events
-- next
SELECT key, value FROM events, jsonb_each(payload) WHERE value <> 'null'
-- next
SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY name) FROM customers
-- next
SELECT jsonb_set(payload, '{a,b}', '1'::jsonb) FROM events WHERE id = 9
-- next
SELECT payload || '{"seen": true}'::jsonb, payload - 'secret', payload #- '{a,0}' FROM events
-- next
SELECT e.id, x.* FROM events e, jsonb_to_recordset(e.payload -> 'lines') AS x (sku text, qty int)
-- next
SELECT * FROM JSON_TABLE('[{"a": 1}, {"a": 2}]'::jsonb, '$[*]' COLUMNS (a int PATH '$.a')) AS jt
-- next
SELECT JSON_VALUE(payload, '$.id' RETURNING int DEFAULT 0 ON ERROR) FROM events
-- next
SELECT payload['user']['name'] FROM events
-- next
SELECT tags[1], tags[2:3], array_length(tags, 1) FROM posts WHERE 'drop' = ANY (tags)
-- next
SELECT unnest(ARRAY['drop', 'delete', 'update']) AS word
-- next
SELECT array_agg(DISTINCT tag ORDER BY tag) FROM posts, unnest(tags) AS tag
-- next
SELECT * FROM posts WHERE tags && ARRAY['grant', 'revoke']
-- next
SELECT id FROM posts WHERE tsv @@ websearch_to_tsquery('english', 'drop shipping') ORDER BY ts_rank(tsv, websearch_to_tsquery('drop')) DESC
-- next
SELECT ts_headline('english', body, to_tsquery('delete & account')) FROM posts
-- next
SELECT * FROM places WHERE box '((0,0),(1,1))' @> location ORDER BY location <-> point '(0,0)' LIMIT 5
-- next
SELECT name, similarity(name, 'secrets') FROM products WHERE name % 'secrets'
-- next
SELECT s.secrets_count FROM summaries s WHERE s.kind = 'secrets'
-- next
SELECT secrets.id FROM (SELECT 1 AS id) AS secrets
-- next
SELECT count(*) AS secrets FROM safes
-- next
SELECT int4range(1, 10) && int4range(5, 15), tstzrange(now(), NULL) @> now()
-- next
SELECT interval '1 day' * 3 + time '04:05', date '2024-02-29' + 1
-- next
SELECT extract(epoch FROM now()), date_part('dow', now()), age(timestamp '2001-04-10')
-- next
SELECT to_char(now(), 'YYYY-MM-DD HH24:MI:SS'), to_date('05 Dec 2000', 'DD Mon YYYY')
-- next
SELECT generate_series('2024-01-01'::date, '2024-12-31', '1 month')::date AS month
-- next
SELECT d::date, coalesce(o.n, 0) FROM generate_series(now() - interval '30 days', now(), '1 day') AS d LEFT JOIN LATERAL (SELECT count(*) AS n FROM orders WHERE placed_at::date = d::date) o ON true
-- next
SELECT CASE WHEN amount > 100 THEN 'large' WHEN amount > 10 THEN 'medium' ELSE 'small' END AS size FROM orders
-- next
SELECT coalesce(nickname, name), nullif(phone, ''), greatest(a, b), least(a, b) FROM people
-- next
SELECT name COLLATE "C" FROM customers ORDER BY name COLLATE "en_US"
-- next
SELECT regexp_replace(phone, '\D', '', 'g') FROM people WHERE phone ~ '^\+?[0-9 ]+$'
-- next
SELECT substring(name FROM 1 FOR 3), trim(BOTH ' ' FROM name), position('a' IN name), overlay(name PLACING 'x' FROM 1) FROM people
-- next
SELECT md5('x'), encode(sha256('x'::bytea), 'hex'), gen_random_uuid()
-- next
SELECT b'1010' | b'0101', x'1F', 1_000_000, 0xff, 0b101, 1e10, .5
-- next
SELECT * FROM orders WHERE (customer_id, placed_at) > (10, '2024-01-01') ORDER BY customer_id, placed_at LIMIT 20
-- next
SELECT * FROM users WHERE id IN (SELECT user_id FROM memberships WHERE role = 'owner')
-- next
SELECT * FROM users u WHERE EXISTS (SELECT FROM orders o WHERE o.customer_id = u.id)
-- next
SELECT * FROM users u WHERE NOT EXISTS (SELECT 1 FROM bans b WHERE b.user_id = u.id AND b.lifted_at IS NULL)
-- next
SELECT region, product, sum(amount) FROM sales GROUP BY GROUPING SETS ((region), (product), ())
-- next
SELECT region, grouping(region), sum(amount) FROM sales GROUP BY ROLLUP (region, product)
-- next
SELECT * FROM a NATURAL JOIN b CROSS JOIN c FULL JOIN d USING (id)
-- next
SELECT * FROM ONLY events TABLESAMPLE BERNOULLI (1) REPEATABLE (42)
-- next
SELECT * FROM customers ORDER BY spent FETCH FIRST 5 ROWS WITH TIES
-- next
SELECT id, name FROM customers ORDER BY name NULLS LAST FETCH NEXT ROW ONLY
-- next
SELECT pg_size_pretty(pg_database_size(current_database()))
-- next
SELECT relname, n_live_tup, n_dead_tup, last_autovacuum FROM pg_stat_user_tables ORDER BY n_dead_tup DESC
-- next
SELECT pid, state, query, now() - query_start AS running_for FROM pg_stat_activity WHERE state <> 'idle'
-- next
SELECT indexrelname, idx_scan FROM pg_stat_user_indexes WHERE idx_scan = 0
-- next
SELECT locktype, mode, granted FROM pg_locks WHERE NOT granted
-- next
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'
-- next
SELECT n.nspname, c.relname, c.relkind FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v') AND n.nspname !~ '^pg_toast' ORDER BY 1, 2
-- next
SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod) FROM pg_catalog.pg_attribute a WHERE a.attrelid = '16385' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
-- next
SELECT pg_catalog.pg_get_viewdef('16400'::pg_catalog.oid, true)
-- next
SELECT d.datname AS "Name", pg_catalog.pg_get_userbyid(d.datdba) AS "Owner" FROM pg_catalog.pg_database d ORDER BY 1
-- next
SELECT p.proname, pg_catalog.pg_get_function_arguments(p.oid) FROM pg_catalog.pg_proc p WHERE p.proname LIKE 'order%'
-- next
SELECT r.rolname, r.rolsuper, r.rolcanlogin FROM pg_catalog.pg_roles r WHERE r.rolname !~ '^pg_' ORDER BY 1
-- next
SELECT has_table_privilege('orders', 'delete'), has_schema_privilege('public', 'create')
-- next: show
SELECT name, setting, unit FROM pg_settings WHERE name LIKE 'autovacuum%'
-- next
SELECT extname, extversion FROM pg_extension
-- next
SELECT to_regclass('public.doomed') IS NOT NULL AS there
-- next
SELECT obj_description('orders'::regclass), col_description('orders'::regclass, 1)
-- next
SELECT pg_backend_pid(), inet_client_addr(), pg_is_in_recovery()
-- next
SELECT pg_total_relation_size('orders'), pg_relation_size('orders', 'main')
-- next: lock
SELECT pg_advisory_xact_lock(hashtext('nightly')), pg_try_advisory_lock(1)
-- next
SELECT currval('invoice_numbers'), lastval()
-- next
SELECT txid_current(), pg_current_wal_lsn()
-- next
SELECT pg_sleep(0.01)
-- next
SELECT format('%I.%L', 'public', 'drop table x')
-- next
SELECT quote_ident('drop table'), quote_literal('x; delete from orders')
-- next
SELECT row_to_json(c), to_jsonb(c) - 'email' FROM customers c LIMIT 1
-- next
SELECT xmlelement(name order, xmlattributes(id AS id), amount) FROM orders LIMIT 1
-- next
SELECT (c).name, (c.address).city FROM customers c
-- next
SELECT (ARRAY[1, 2, 3])[2], (ROW(1, 'a')).f1
-- next
SELECT customers.name, public.customers.email FROM public.customers
-- next
SELECT o.amount::numeric(10, 2), CAST(o.id AS text), o.placed_at::date FROM orders AS o
-- next
SELECT amount BETWEEN 1 AND 10, amount NOT IN (1, 2), name LIKE 'A\%%' ESCAPE '\', name SIMILAR TO '(a|b)%' FROM x
-- next
SELECT a IS DISTINCT FROM b, a IS NOT NULL, (a = b) IS TRUE, a ISNULL FROM pairs
-- next
SELECT OPERATOR(pg_catalog.+) 1, 2 OPERATOR(pg_catalog.*) 3
-- next
SELECT string_agg(name, ', ' ORDER BY name) FROM customers WHERE name NOT LIKE '%; --%'
-- next
SELECT bool_and(paid), every(paid), bit_or(flags), corr(x, y), stddev(x) FROM stats
-- next
SELECT 'ﬁ', 'ＤＲＯＰ ＴＡＢＬＥ', 'naïve', '日本語', '😀' AS emoji
-- next
SELECT "größe", "имя" FROM "länder"
-- next
SELECT héllo FROM wörld WHERE straße = 'Hauptstraße 1'
-- next
SELECT * FROM logs WHERE line LIKE 'ERROR:  update or delete on table "orders" violates%'
-- next
SELECT id FROM commands WHERE text IN ('DROP TABLE', 'ALTER TABLE', 'CREATE TABLE')
-- next
SELECT question FROM faq WHERE answer ~* '\mtruncate\M'
-- next
SELECT max(updated_at) AS last_update FROM accounts
-- next
SELECT count(*) AS total, count(DISTINCT owner) FROM accounts WHERE owner IS NOT NULL
-- next
SELECT account_id, sum(CASE kind WHEN 'credit' THEN amount ELSE -amount END) AS balance FROM ledger GROUP BY account_id
-- next
SELECT promotions.code FROM promotions WHERE promotions.valid_until > now()
-- next
SELECT doomed.note FROM doomed JOIN projects USING (id)
-- next
SELECT set_bit('\x00'::bytea, 1, 1), get_byte('\x01'::bytea, 0)
-- next
SELECT n FROM generate_series(1, 10) AS n WHERE n % 2 = 0 AND n / 2 > 1 AND n ^ 2 < 50 AND @ n > 0
-- next
SELECT lower('DROP'), upper('delete'), initcap('truncate table'), reverse('elbat pord')
-- next: show
SELECT current_setting('server_version_num')::int >= 180000 AS is_18
-- next: show
SELECT current_setting('app.tenant', true)
-- next
SELECT id, email FROM users WHERE created_at::date = current_date AND email <> 'drop@example.com'
-- next
SELECT u.id, g.name FROM users u, groups g, user_groups ug WHERE ug.user_id = u.id AND ug.group_id = g.id
-- next
SELECT * FROM pg_catalog.pg_stat_statements ORDER BY total_exec_time DESC LIMIT 10
-- next
SELECT EXTRACT(YEAR FROM placed_at) AS year, avg(amount)::numeric(12, 2) FROM orders GROUP BY year ORDER BY year
-- next
SELECT width_bucket(amount, 0, 1000, 10) AS bucket, count(*) FROM orders GROUP BY bucket
-- next
SELECT id FROM jobs WHERE state = 'queued' ORDER BY priority, id FOR NO KEY UPDATE SKIP LOCKED LIMIT 1
-- next
SELECT ctid, xmin, xmax, tableoid::regclass FROM customers WHERE id = 1
-- next
SELECT id, created_at + ttl AS expires_at FROM tokens WHERE created_at + ttl < now()
-- next
SELECT id FROM messages WHERE body = E'it\'s; DROP TABLE x; --'
-- next
SELECT;
-- next
;
-- next
SELECT 1; SELECT 2; SELECT 3;
-- next
SELECT 'a;b' AS semi; SELECT "c;d" FROM (SELECT 1 AS "c;d") AS x; -- done; really
-- next
SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM accounts), (SELECT count(*) FROM customers)
-- next
SELECT x.* FROM customers c CROSS JOIN LATERAL (SELECT id, amount FROM orders o WHERE o.customer_id = c.id ORDER BY amount DESC LIMIT 3) AS x
-- next
SELECT sum(amount) FILTER (WHERE placed_at >= now() - '1 day'::interval) AS today FROM orders
-- next
SELECT * FROM crosstab_source ORDER BY 1, 2
-- next
SELECT a.id FROM accounts a WHERE a.balance > ALL (SELECT amount FROM limits) OR a.id = SOME (ARRAY[1, 2])
-- next
SELECT pg_get_serial_sequence('orders', 'id'), pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'orders'::regclass
-- next
SELECT conname FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'
-- next
SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
-- next
SELECT rolname FROM pg_roles WHERE pg_has_role(rolname, 'pg_read_all_data', 'member')
-- next
SELECT sum(length(body)) FROM notes WHERE body !~ 'drop\s+table'
-- next
SELECT t.id AS "delete from", t.name AS "update set" FROM things t
-- next: show
SHOW work_mem
-- next: show
SHOW ALL
-- next: show
SHOW server_version;
-- next: show
SHOW TRANSACTION ISOLATION LEVEL
-- next: show
SHOW search_path
-- next: show
SHOW TIME ZONE
-- next
EXPLAIN SELECT * FROM orders WHERE customer_id = 1
-- next
EXPLAIN (ANALYZE, BUFFERS) SELECT count(*) FROM orders
-- next
EXPLAIN (FORMAT json, VERBOSE, COSTS off) SELECT * FROM customers JOIN orders USING (id)
-- next
EXPLAIN VERBOSE SELECT 'delete from orders'
-- next
explain (analyze, wal, settings, timing off, summary) select o.id from orders o where o.amount > 5
-- next
BEGIN
-- next
COMMIT
-- next
ROLLBACK
-- next
START TRANSACTION READ ONLY
-- next
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY DEFERRABLE
-- next
BEGIN; SELECT * FROM orders WHERE id = 1 FOR UPDATE; COMMIT
-- next
SAVEPOINT before_import
-- next
RELEASE SAVEPOINT before_import
-- next
ROLLBACK TO SAVEPOINT before_import
-- next
COMMIT AND CHAIN
-- next
END
-- next
ABORT
-- next
LISTEN order_events
-- next
NOTIFY order_events, 'dropped 1 item; delete later'
-- next
UNLISTEN *
-- next: notify
SELECT pg_notify('order_events', '{"op": "delete"}')
-- next
DECLARE report CURSOR FOR SELECT * FROM orders ORDER BY id
-- next
BEGIN; DECLARE c NO SCROLL CURSOR FOR SELECT id FROM orders; FETCH FORWARD 100 FROM c; CLOSE c; COMMIT
-- next: hidden
FETCH NEXT FROM report
-- next
BEGIN; DECLARE report SCROLL CURSOR FOR SELECT * FROM orders ORDER BY id; FETCH NEXT FROM report; COMMIT
-- next: hidden
MOVE FORWARD 10 IN report
-- next
BEGIN; DECLARE report SCROLL CURSOR FOR SELECT * FROM orders ORDER BY id; MOVE FORWARD 10 IN report; COMMIT
-- next
CLOSE ALL
-- next
LOCK TABLE invoices IN SHARE ROW EXCLUSIVE MODE
-- next
CHECKPOINT
-- next
DISCARD ALL
-- next
DISCARD TEMP
-- next
DEALLOCATE ALL
-- next
RESET ALL
-- next
RESET search_path
-- next: set
SET search_path TO app, public
-- next: set
SET LOCAL statement_timeout = '5s'
-- next: set
SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY
-- next: set
SET TIME ZONE 'Europe/Berlin'
-- next: set
SET timezone = 'UTC'
-- next: set
SET application_name = 'psql; drop'
-- next: set
SET client_min_messages TO WARNING
-- next: set
SET standard_conforming_strings = on
-- next: set
SET client_encoding TO 'UTF8'
-- next: set
SET NAMES 'utf8'
-- next: set
SET work_mem = '64MB'; SELECT count(*) FROM orders
-- next: set
SET extra_float_digits = 3
-- next: set
SET DateStyle = 'ISO, DMY'
-- next: set
SET app.current_tenant = '42'
-- next: set
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
-- next: set
SET CONSTRAINTS ALL DEFERRED
-- next: set
SET lock_timeout TO DEFAULT
-- next: set
SET row_security = off
-- next: set
BEGIN; SET LOCAL app.user_id = '17'; SELECT * FROM documents; COMMIT
-- next: set
SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0
-- next: prepare
PREPARE by_id (int) AS SELECT * FROM orders WHERE id = $1
-- next: prepare
PREPARE totals AS SELECT customer_id, sum(amount) FROM orders GROUP BY 1
-- next: prepare
PREPARE find (text) AS SELECT * FROM customers WHERE name = $1; EXECUTE find('drop table'); DEALLOCATE find
-- next: prepare
PREPARE p2 (int, text) AS SELECT $1, $2; EXPLAIN EXECUTE p2 (1, 'x')
-- next: insert
INSERT INTO customers (id, name, email) VALUES (1, 'Grace', 'grace@example.com')
-- next: insert
INSERT INTO customers (name) VALUES ($1) RETURNING id
-- next: insert
INSERT INTO customers DEFAULT VALUES
-- next: insert
INSERT INTO customers (name, note) VALUES ('Robert''); DROP TABLE students;--', 'xkcd 327')
-- next: insert
INSERT INTO events (kind, payload) VALUES ('delete', '{"table": "orders", "sql": "DELETE FROM orders"}'), ('drop', '{}')
-- next: insert
INSERT INTO invoices SELECT nextval('invoice_numbers'), id, amount FROM orders WHERE billed = false
-- next: insert
INSERT INTO tags (name) VALUES ('a'), ('b'), ('c') ON CONFLICT DO NOTHING
-- next: insert
INSERT INTO tags (name) VALUES ('a') ON CONFLICT (name) DO NOTHING RETURNING id
-- next: insert
INSERT INTO audit_log (actor, action) SELECT current_user, 'truncate requested'
-- next: insert
INSERT INTO archive.events OVERRIDING SYSTEM VALUE SELECT * FROM events WHERE at < '2020-01-01'
-- next: insert
INSERT INTO prices (sku, valid, price) VALUES ('x', daterange('2024-01-01', NULL), 9.99)
-- next: insert
INSERT INTO posts (tags, meta) VALUES (ARRAY['drop', 'table'], '{"a": [1, 2]}'::jsonb)
-- next: insert
INSERT INTO blobs (data) VALUES ('\x deadbeef')
-- next: insert
INSERT INTO notes_by_hand (body) VALUES (E'tab\there; update x set y = 1')
-- next: insert
INSERT INTO points VALUES (point(1, 2)), ('(3,4)')
-- next: insert
WITH new AS (INSERT INTO customers (name) VALUES ('Ada') RETURNING id) SELECT id FROM new
-- next: insert
WITH src AS (SELECT * FROM staging) INSERT INTO products SELECT * FROM src
-- next: insert
EXPLAIN INSERT INTO customers (name) VALUES ('x')
-- next: insert
INSERT INTO a VALUES (1); INSERT INTO b VALUES (2); INSERT INTO c VALUES (3);
-- next: insert
BEGIN; INSERT INTO transfers (src, dst, amount) VALUES (1, 2, 10); COMMIT
-- next: insert
INSERT INTO customers AS c (id, name) TABLE staging_customers
-- next: insert
INSERT INTO "Order Details" ("drop", "Unit Price") VALUES (1, 2.5)
-- next: insert
INSERT INTO logs (at, line) VALUES (now(), 'user secrets accessed'), (now() - interval '1 hour', 'alter table seen')
-- next: insert
INSERT INTO sessions (id, data, expires) VALUES (gen_random_uuid(), $1, now() + '1 day')
-- next: insert
INSERT INTO measurements SELECT g, random() FROM generate_series(1, 1000) AS g
-- next: insert
INSERT INTO kv (k, v) VALUES ('grant', 'all'), ('revoke', 'none') RETURNING k, v
-- next: insert update
INSERT INTO counters (name, n) VALUES ('visits', 1) ON CONFLICT (name) DO UPDATE SET n = counters.n + 1
-- next: insert update
INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE settings.value IS DISTINCT FROM excluded.value
-- next: insert update
INSERT INTO devices (id, seen_at) VALUES (7, now()) ON CONFLICT ON CONSTRAINT devices_pkey DO UPDATE SET seen_at = now() RETURNING id
-- next: insert table:orders
INSERT INTO orders (customer_id, amount) VALUES (1, 9.5)
-- next: insert table:orders
INSERT INTO orders (customer_id, amount) SELECT id, 0 FROM customers WHERE vip RETURNING id
-- next: update
UPDATE customers SET name = 'Grace Hopper' WHERE id = 1
-- next: update
UPDATE customers SET email = lower(email), updated_at = now() WHERE email <> lower(email)
-- next: update
UPDATE customers c SET tier = 'gold' FROM orders o WHERE o.customer_id = c.id AND o.amount > 1000
-- next: update
UPDATE products SET price = price * 1.1 WHERE category = 'books' RETURNING id, price
-- next: update
UPDATE products SET (name, price) = ('x', 1) WHERE id = $1
-- next: update
UPDATE products SET (name, price) = (SELECT name, price FROM staging s WHERE s.id = products.id) WHERE id IN (SELECT id FROM staging)
-- next: update
UPDATE users SET deleted_at = now() WHERE id = 5 AND deleted_at IS NULL
-- next: update
UPDATE users SET password_hash = $2, updated_by = $3 WHERE id = $1
-- next: update
UPDATE tasks SET state = 'dropped' WHERE state = 'open' AND due < now()
-- next: update
UPDATE tasks SET note = 'truncate; drop' WHERE id = ANY ($1::int[])
-- next: update
UPDATE events SET payload = jsonb_set(payload, '{deleted}', 'true') WHERE payload ->> 'id' = '7'
-- next: update
UPDATE ONLY measurements SET value = value + 1 WHERE at >= '2024-01-01'
-- next: update
UPDATE posts SET tags[1] = 'update' WHERE id = 2
-- next: update
UPDATE t SET a = b, b = a WHERE a > b
-- next: update
WITH due AS (SELECT id FROM invoices WHERE due_at < now()) UPDATE invoices SET state = 'late' FROM due WHERE due.id = invoices.id
-- next: update
WITH u AS (UPDATE jobs SET state = 'running' WHERE id = (SELECT id FROM jobs WHERE state = 'queued' LIMIT 1) RETURNING *) SELECT * FROM u
-- next: update
EXPLAIN UPDATE customers SET name = 'x' WHERE id = 1
-- next: update
UPDATE inventory SET qty = qty - 1 WHERE sku = 'abc' AND qty > 0; UPDATE inventory SET qty = qty + 1 WHERE sku = 'def'
-- next: update
UPDATE public.customers AS c SET note = DEFAULT WHERE c.note = ''
-- next: update
UPDATE documents SET body = replace(body, 'delete from', 'remove from') WHERE body LIKE '%delete from%'
-- next: update
UPDATE customers SET name = name || '!' WHERE CURRENT OF report
-- next: update
UPDATE customers SET seen = true WHERE id = 3 RETURNING old.seen, new.seen
-- next: update
UPDATE stock SET reserved = 0 WHERE NOT EXISTS (SELECT FROM carts WHERE carts.sku = stock.sku)
-- next: update without_where
UPDATE feature_flags SET enabled = false
-- next: update without_where
UPDATE staging SET processed = true RETURNING id
-- next: update table:accounts
UPDATE accounts SET balance = balance - 10 WHERE id = 1
-- next: update table:accounts
UPDATE accounts SET closed_at = now() WHERE owner = 'nobody' AND balance = 0
-- next: update table:orders
UPDATE orders SET status = 'shipped' WHERE id = 17
-- next: delete
DELETE FROM sessions WHERE expires < now()
-- next: delete
DELETE FROM carts WHERE user_id = $1 RETURNING id
-- next: delete
DELETE FROM memberships m USING users u WHERE u.id = m.user_id AND u.active = false
-- next: delete
DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < now() - interval '1 year' LIMIT 1000)
-- next: delete
DELETE FROM ONLY partitions_log WHERE at < '2020-01-01'
-- next: delete
DELETE FROM tags WHERE name = 'drop'
-- next: delete
DELETE FROM tags t WHERE NOT EXISTS (SELECT 1 FROM post_tags p WHERE p.tag_id = t.id)
-- next: delete
DELETE FROM duplicates a USING duplicates b WHERE a.ctid < b.ctid AND a.key = b.key
-- next: delete
WITH old AS (DELETE FROM logs WHERE at < now() - '90 days'::interval RETURNING *) SELECT count(*) FROM old
-- next: delete
DELETE FROM files WHERE path LIKE '/tmp/%' AND deleted
-- next: delete
DELETE FROM customers WHERE id = 3; DELETE FROM customers WHERE id = 4;
-- next: delete
DELETE FROM tokens WHERE user_id = 1 AND created_at < (SELECT max(created_at) FROM tokens WHERE user_id = 1)
-- next: delete
EXPLAIN DELETE FROM sessions WHERE id = 'x'
-- next: delete
DELETE FROM carts WHERE CURRENT OF c
-- next: delete without_where
DELETE FROM scratch
-- next: delete table:orders
DELETE FROM orders WHERE id = 99 AND status = 'cancelled'
-- next: insert delete
WITH moved AS (DELETE FROM queue WHERE done RETURNING *) INSERT INTO queue_archive SELECT * FROM moved
-- next: insert update merge
MERGE INTO stock s USING deliveries d ON s.sku = d.sku WHEN MATCHED THEN UPDATE SET qty = s.qty + d.qty WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (d.sku, d.qty)
-- next: insert update merge
MERGE INTO customers c USING (SELECT * FROM staging_customers) s ON c.id = s.id WHEN MATCHED AND s.name <> c.name THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name)
-- next: insert merge
MERGE INTO tags t USING (VALUES ('x')) v (name) ON t.name = v.name WHEN NOT MATCHED THEN INSERT (name) VALUES (v.name)
-- next: delete merge
MERGE INTO carts c USING users u ON c.user_id = u.id AND u.active = false WHEN MATCHED THEN DELETE
-- next: update delete merge
MERGE INTO stock s USING counts n ON s.sku = n.sku WHEN MATCHED AND n.qty = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET qty = n.qty RETURNING merge_action(), s.*
-- next: truncate
TRUNCATE staging_customers
-- next: truncate
TRUNCATE TABLE scratch, scratch_lines RESTART IDENTITY
-- next: truncate
TRUNCATE ONLY imports CONTINUE IDENTITY
-- next: copy insert
COPY customers FROM STDIN
-- next: copy insert
COPY customers (id, name, email) FROM STDIN WITH (FORMAT csv, HEADER true)
-- next: copy insert
COPY staging FROM STDIN DELIMITER '|' NULL '\N'
-- next: copy insert
copy public.products (sku, price) from stdin with csv
-- next: copy insert
COPY measurements FROM STDIN (FORMAT binary)
-- next: copy insert
COPY imports FROM STDIN WITH (FORMAT csv, ON_ERROR ignore) WHERE id > 0
-- next: copy
COPY customers TO STDOUT WITH (FORMAT csv, HEADER)
-- next: copy
COPY (SELECT * FROM orders WHERE placed_at >= '2024-01-01') TO STDOUT WITH CSV
-- next: copy
COPY orders (id, amount) TO STDOUT
-- next: copy
COPY (SELECT 'drop table x; delete from y' AS s) TO STDOUT
-- next: copy
COPY accounts TO STDOUT (DELIMITER ';', ENCODING 'UTF8')
-- next: call
CALL refresh_totals()
-- next: call
CALL billing.close_month(2024, 12)
-- next: call
CALL archive_before(p_date => '2020-01-01', p_dry_run => true)
-- next: comment
COMMENT ON TABLE customers IS 'People who buy; do not drop'
-- next: comment
COMMENT ON COLUMN customers.email IS 'lower case'
-- next: comment
COMMENT ON FUNCTION total(int) IS NULL
-- next: comment
COMMENT ON SCHEMA app IS 'The application'
-- next: comment
COMMENT ON INDEX customers_email_idx IS 'unique'
-- next: grant
GRANT SELECT ON customers TO reporting
-- next: grant
GRANT USAGE ON SCHEMA app TO app_user
-- next: grant
GRANT app_reader TO alice WITH ADMIN OPTION
-- next: grant
GRANT EXECUTE ON FUNCTION total(int) TO PUBLIC
-- next: grant
GRANT SELECT (id, name) ON customers TO support
-- next: revoke
REVOKE ALL ON customers FROM PUBLIC
-- next: revoke
REVOKE app_reader FROM bob
-- next: revoke
REVOKE GRANT OPTION FOR SELECT ON customers FROM carol CASCADE
-- next: alter grant
ALTER DEFAULT PRIVILEGES IN SCHEMA app GRANT SELECT ON TABLES TO reporting
-- next: vacuum
VACUUM customers
-- next: vacuum
VACUUM (VERBOSE, FREEZE) events
-- next: analyze
ANALYZE customers
-- next: analyze
ANALYZE VERBOSE events (kind, at)
-- next: vacuum analyze
VACUUM ANALYZE customers
-- next: vacuum analyze
VACUUM (ANALYZE, PARALLEL 2) events
-- next: reindex
REINDEX INDEX CONCURRENTLY customers_email_idx
-- next: reindex
REINDEX TABLE customers
-- next: reindex
CLUSTER customers USING customers_pkey
-- next: reindex
REFRESH MATERIALIZED VIEW CONCURRENTLY monthly_totals
-- next: reindex
REFRESH MATERIALIZED VIEW monthly_totals WITH NO DATA
-- next: create
CREATE TABLE customers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, email text UNIQUE, created_at timestamptz NOT NULL DEFAULT now())
-- next: create
CREATE TABLE IF NOT EXISTS app.settings (key text PRIMARY KEY, value jsonb NOT NULL DEFAULT '{}')
-- next: create
CREATE TABLE invoices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id bigint NOT NULL REFERENCES customers (id) ON DELETE CASCADE ON UPDATE RESTRICT,
  total numeric(12, 2) CHECK (total >= 0),
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sent', 'dropped')),
  UNIQUE (customer_id, id)
)
-- next: create
CREATE TABLE events (at timestamptz NOT NULL, kind text, payload jsonb) PARTITION BY RANGE (at)
-- next: create
CREATE TABLE events_2024 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')
-- next: create
CREATE TABLE by_region PARTITION OF sales FOR VALUES IN ('eu', 'us') PARTITION BY HASH (id)
-- next: create
CREATE TABLE copy_of_events (LIKE events INCLUDING DEFAULTS INCLUDING INDEXES)
-- next: create
CREATE TEMP TABLE picked (id int) ON COMMIT DROP
-- next: create
CREATE TEMPORARY TABLE top_ten AS SELECT * FROM orders ORDER BY amount DESC LIMIT 10
-- next: create
CREATE UNLOGGED TABLE cache (k text PRIMARY KEY, v bytea) WITH (fillfactor = 70)
-- next: create
CREATE TABLE archive AS TABLE events WITH NO DATA
-- next: create
CREATE TABLE totals (a int, b int, c int GENERATED ALWAYS AS (a + b) STORED, d int GENERATED ALWAYS AS (a * b) VIRTUAL)
-- next: create
CREATE TABLE dropped_items (deleted_by text, updated_at timestamptz, "grant" text)
-- next: create
CREATE TABLE bookings (room int, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&))
-- next: create
CREATE TABLE child (extra text) INHERITS (parent_of_child)
-- next: create
CREATE TABLE notes_2 (body text DEFAULT 'drop; delete; truncate', CONSTRAINT short CHECK (length(body) < 100))
-- next: create
SELECT * INTO TEMP recent_events FROM events WHERE at > now() - interval '1 hour'
-- next: create
CREATE INDEX customers_name_idx ON customers (name)
-- next: create
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS customers_email_key ON customers (lower(email)) WHERE deleted_at IS NULL
-- next: create
CREATE INDEX ON events USING gin (payload jsonb_path_ops)
-- next: create
CREATE INDEX posts_tsv ON posts USING gin (to_tsvector('english', title || ' ' || body))
-- next: create
CREATE INDEX events_at_brin ON events USING brin (at) WITH (pages_per_range = 32)
-- next: create
CREATE INDEX covering ON invoices (customer_id) INCLUDE (total) TABLESPACE fast
-- next: create
CREATE VIEW active_customers AS SELECT * FROM customers WHERE deleted_at IS NULL
-- next: create
CREATE OR REPLACE VIEW app.order_lines AS SELECT l.id, p.name FROM lines l JOIN products p ON p.id = l.product_id
-- next: create
CREATE VIEW visible WITH (security_barrier = true) AS SELECT id FROM documents WHERE owner = current_user WITH LOCAL CHECK OPTION
-- next: create
CREATE MATERIALIZED VIEW monthly_totals AS SELECT date_trunc('month', at) AS month, count(*) FROM events GROUP BY 1 WITH NO DATA
-- next: create
CREATE SEQUENCE invoice_numbers START 1000 INCREMENT BY 1 CACHE 10
-- next: create
CREATE SCHEMA IF NOT EXISTS app AUTHORIZATION app_owner
-- next: create
CREATE SCHEMA reporting CREATE TABLE facts (id int) CREATE VIEW v AS SELECT 1 AS one
-- next: create
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')
-- next: create
CREATE TYPE address AS (street text, city text)
-- next: create
CREATE TYPE float_range AS RANGE (subtype = float8, subtype_diff = float8mi)
-- next: create
CREATE DOMAIN email AS text CHECK (VALUE ~ '^[^@]+@[^@]+$')
-- next: create
CREATE ROLE reporting NOLOGIN
-- next: create
CREATE USER app_user WITH PASSWORD 'not-a-real-one' CONNECTION LIMIT 10
-- next: create
CREATE POLICY own_rows ON documents FOR SELECT USING (owner = current_user)
-- next: create
CREATE TRIGGER touch BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION set_updated_at()
-- next: create
CREATE TRIGGER audit_delete AFTER DELETE ON invoices REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION audit()
-- next: create
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_total()
-- next: create
CREATE STATISTICS city_zip (dependencies) ON city, zip FROM addresses
-- next: create
CREATE COLLATION german (locale = 'de_DE')
-- next: create
CREATE PUBLICATION pub FOR TABLE customers, invoices
-- next: create
CREATE FUNCTION total(customer int) RETURNS numeric LANGUAGE sql STABLE AS $$ SELECT sum(amount) FROM orders WHERE customer_id = customer $$
-- next: create
CREATE OR REPLACE FUNCTION full_name(first text, last text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT first || '' '' || last'
-- next: create
CREATE FUNCTION top(n int) RETURNS TABLE (id int, amount int) LANGUAGE sql BEGIN ATOMIC SELECT id, amount FROM orders ORDER BY amount DESC LIMIT n; END
-- next: create
CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int LANGUAGE sql RETURN a + b
-- next: create
CREATE AGGREGATE product (numeric) (SFUNC = numeric_mul, STYPE = numeric, INITCOND = '1')
-- next: create
CREATE CAST (mood AS int) WITH FUNCTION mood_rank(mood) AS ASSIGNMENT
-- next: create
CREATE OPERATOR === (LEFTARG = point, RIGHTARG = point, FUNCTION = point_eq)
-- next: create
CREATE TEXT SEARCH CONFIGURATION app_english (COPY = pg_catalog.english)
-- next: create
CREATE TABLE a (id int); CREATE INDEX ON a (id); CREATE VIEW va AS SELECT * FROM a;
-- next: create
CREATE DATABASE reporting ENCODING 'UTF8' LC_COLLATE 'C'
-- next: create insert
CREATE TABLE lookup (id int, name text); INSERT INTO lookup VALUES (1, 'a'), (2, 'b')
-- next: create insert
CREATE FUNCTION log_it(what text) RETURNS void LANGUAGE sql AS $$ INSERT INTO audit_log (action) VALUES (what) $$
-- next: create set
SET search_path = app; CREATE TABLE thing (id int)
-- next: create delete
CREATE RULE no_delete AS ON INSERT TO guarded DO ALSO DELETE FROM guard_log WHERE at < now() - interval '1 day'
-- next: alter
ALTER TABLE customers ADD COLUMN phone text
-- next: alter
ALTER TABLE customers ADD COLUMN IF NOT EXISTS tier text NOT NULL DEFAULT 'basic', ADD CONSTRAINT tier_known CHECK (tier <> '')
-- next: alter
ALTER TABLE customers DROP COLUMN fax
-- next: alter
ALTER TABLE customers ALTER COLUMN name SET NOT NULL
-- next: alter
ALTER TABLE customers ALTER COLUMN id TYPE bigint USING id::bigint
-- next: alter
ALTER TABLE customers RENAME COLUMN fax TO telefax
-- next: alter
ALTER TABLE customers RENAME TO clients
-- next: alter
ALTER TABLE invoices ADD CONSTRAINT fk FOREIGN KEY (customer_id) REFERENCES customers (id) NOT VALID
-- next: alter
ALTER TABLE invoices VALIDATE CONSTRAINT fk
-- next: alter
ALTER TABLE invoices DROP CONSTRAINT IF EXISTS old_check
-- next: alter
ALTER TABLE events ATTACH PARTITION events_2025 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')
-- next: alter
ALTER TABLE events DETACH PARTITION events_2020 CONCURRENTLY
-- next: alter
ALTER TABLE documents ENABLE ROW LEVEL SECURITY
-- next: alter
ALTER TABLE customers SET (autovacuum_vacuum_scale_factor = 0.05)
-- next: alter
ALTER TABLE customers OWNER TO app_owner
-- next: alter
ALTER TABLE customers SET SCHEMA app
-- next: alter
ALTER TABLE customers DISABLE TRIGGER touch
-- next: alter
ALTER TABLE customers ALTER COLUMN created_at SET DEFAULT now(), ALTER COLUMN note DROP DEFAULT
-- next: alter
ALTER INDEX customers_name_idx RENAME TO customers_by_name
-- next: alter
ALTER SEQUENCE invoice_numbers RESTART WITH 5000
-- next: alter
ALTER SEQUENCE invoice_numbers OWNED BY invoices.number
-- next: alter
ALTER VIEW active_customers ALTER COLUMN name SET DEFAULT 'x'
-- next: alter
ALTER TYPE mood ADD VALUE 'great' AFTER 'happy'
-- next: alter
ALTER DOMAIN email DROP NOT NULL
-- next: alter
ALTER ROLE app_user CONNECTION LIMIT 20
-- next: alter
ALTER ROLE app_user VALID UNTIL '2030-01-01'
-- next: alter
ALTER FUNCTION total(int) STABLE PARALLEL SAFE
-- next: alter
ALTER POLICY own_rows ON documents USING (owner = session_user)
-- next: alter
ALTER MATERIALIZED VIEW monthly_totals SET TABLESPACE fast
-- next: alter
ALTER SCHEMA reporting OWNER TO reporting
-- next: alter
ALTER PUBLICATION pub ADD TABLE products
-- next: alter
ALTER DATABASE reporting CONNECTION LIMIT 100
-- next: alter
ALTER ROLE reporting SET statement_timeout = '30s'
-- next: alter
ALTER DATABASE reporting SET timezone TO 'UTC'
-- next: alter
ALTER SYSTEM SET work_mem = '32MB'
-- next: alter table:accounts
ALTER TABLE accounts ADD COLUMN opened_at timestamptz
-- next: alter table:orders
ALTER TABLE orders ADD COLUMN shipped_at timestamptz
-- next: drop
DROP TABLE IF EXISTS scratch
-- next: drop
DROP VIEW active_customers, visible
-- next: drop
DROP INDEX CONCURRENTLY customers_name_idx
-- next: drop
DROP SEQUENCE invoice_numbers
-- next: drop
DROP FUNCTION total(int)
-- next: drop
DROP TRIGGER touch ON customers
-- next: drop
DROP TYPE mood
-- next: drop
DROP ROLE IF EXISTS reporting
-- next: drop
DROP POLICY own_rows ON documents
-- next: drop
DROP MATERIALIZED VIEW IF EXISTS monthly_totals
-- next: drop
DROP SCHEMA IF EXISTS scratch_space
-- next: drop
DROP TABLE staging_customers CASCADE
-- next: drop create
DROP TABLE IF EXISTS lookup; CREATE TABLE lookup (id int)
-- next: drop create
BEGIN; DROP VIEW IF EXISTS v; CREATE VIEW v AS SELECT 1 AS one; COMMIT
-- next: hidden do
DO $$ BEGIN RAISE NOTICE 'hello'; END $$
-- next: hidden do
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app') THEN CREATE ROLE app; END IF; END $$
-- next: hidden create
CREATE FUNCTION set_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.updated_at = now(); RETURN NEW; END $$
-- next: hidden create
CREATE OR REPLACE PROCEDURE refresh_totals() LANGUAGE plpgsql AS $$ BEGIN REFRESH MATERIALIZED VIEW monthly_totals; END $$
-- next: hidden create
CREATE EXTENSION IF NOT EXISTS pgcrypto
-- next: hidden create
CREATE EXTENSION "uuid-ossp" WITH SCHEMA public
-- next: hidden execute
EXECUTE prepared_earlier(1)
-- next: hidden set
SET client_encoding = 'LATIN1'
-- next: hidden set
SET standard_conforming_strings = off
-- next
select "User"."id" as "User_id", "User"."email" as "User_email" from "users" "User" where ("User"."id" = $1) limit 1
-- next
SELECT "app_user"."id", "app_user"."is_deleted" FROM "app_user" WHERE "app_user"."is_deleted" = false ORDER BY "app_user"."id" ASC
-- next
SELECT t0.id, t0.name, t1.total FROM public.customers AS t0 LEFT OUTER JOIN LATERAL (SELECT sum(i.total) AS total FROM public.invoices AS i WHERE i.customer_id = t0.id) AS t1 ON TRUE WHERE 1 = 1
-- next
SELECT COUNT(*) AS "__count" FROM "shop_order" INNER JOIN "shop_customer" ON ("shop_order"."customer_id" = "shop_customer"."id") WHERE NOT ("shop_order"."status" IN ('deleted', 'dropped'))
-- next
SELECT 1 AS one FROM "users" WHERE "users"."email" = 'x@example.com' LIMIT 1
-- next
SELECT "public"."Order"."id", "public"."Order"."total" FROM "public"."Order" WHERE "public"."Order"."deletedAt" IS NULL OFFSET 0
-- next
select distinct o1_0.id, o1_0.created_at from customer_order o1_0 where o1_0.state in (1,2,3) and o1_0.created_at >= '2024-01-01 00:00:00+00' fetch first 10 rows only
-- next
SELECT table_schema, table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
-- next
SELECT kcu.column_name FROM information_schema.table_constraints tc JOIN information_schema.key_column_usage kcu ON kcu.constraint_name = tc.constraint_name WHERE tc.constraint_type = 'PRIMARY KEY' AND tc.table_name = 'orders'
-- next
SELECT i.relname AS index_name, ix.indisunique, pg_get_indexdef(ix.indexrelid) FROM pg_index ix JOIN pg_class i ON i.oid = ix.indexrelid WHERE ix.indrelid = 'public.orders'::regclass
-- next
SELECT typname, typarray FROM pg_type WHERE typname IN ('hstore', 'citext', 'geometry')
-- next
SELECT oid, typname FROM pg_type WHERE oid = ANY ('{16,17,20}'::oid[])
-- next
SELECT t.oid, t.typname, n.nspname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE NOT EXISTS (SELECT 1 FROM pg_class c WHERE c.reltype = t.oid AND c.relkind <> 'c')
-- next
SELECT blocked.pid, blocking.pid FROM pg_stat_activity blocked JOIN pg_stat_activity blocking ON blocking.pid = ANY (pg_blocking_pids(blocked.pid))
-- next
SELECT datname, numbackends, xact_commit, blks_hit::float / nullif(blks_hit + blks_read, 0) AS hit_ratio FROM pg_stat_database
-- next
SELECT schemaname, relname, seq_scan, idx_scan, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_all_tables WHERE schemaname = 'public'
-- next
SELECT nspname, has_schema_privilege(nspname, 'USAGE') FROM pg_namespace
-- next
SELECT grantee, privilege_type FROM information_schema.role_table_grants WHERE table_name = 'customers'
-- next
SELECT pg_terminate_backend(12345)
-- next
SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'delete from%' AND now() - query_start > interval '10 minutes'
-- next
SELECT slot_name, active, restart_lsn FROM pg_replication_slots
-- next
SELECT client_addr, state, sent_lsn, replay_lag FROM pg_stat_replication
-- next
SELECT sum(numbackends) FROM pg_stat_database WHERE datname IS NOT NULL
-- next
SELECT c.name, o.total, round(100.0 * o.total / sum(o.total) OVER (), 2) AS share FROM (SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id) o JOIN customers c ON c.id = o.customer_id ORDER BY share DESC
-- next
WITH months AS (SELECT generate_series(date '2024-01-01', date '2024-12-01', '1 month')::date AS month), sums AS (SELECT date_trunc('month', placed_at)::date AS month, sum(amount) AS total FROM orders GROUP BY 1) SELECT m.month, coalesce(s.total, 0) AS total, sum(coalesce(s.total, 0)) OVER (ORDER BY m.month) AS running FROM months m LEFT JOIN sums s USING (month)
-- next
WITH cohort AS (SELECT user_id, min(at)::date AS first_day FROM visits GROUP BY user_id) SELECT c.first_day, v.at::date - c.first_day AS day, count(DISTINCT v.user_id) FROM cohort c JOIN visits v USING (user_id) GROUP BY 1, 2
-- next
SELECT a.id, b.id FROM customers a JOIN customers b ON a.email = b.email AND a.id < b.id
-- next
SELECT customer_id FROM orders GROUP BY customer_id HAVING max(placed_at) < now() - interval '1 year' AND count(*) > 2
-- next
SELECT avg(x.gap) FROM (SELECT placed_at - lag(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at) AS gap FROM orders) AS x
-- next
SELECT hour, count(*) FROM (SELECT extract(hour FROM at) AS hour FROM visits) v GROUP BY hour ORDER BY hour
-- next
SELECT p.id, p.title, (SELECT count(*) FROM comments c WHERE c.post_id = p.id AND NOT c.deleted) AS comments FROM posts p ORDER BY comments DESC LIMIT 10
-- next
SELECT id, 'update' AS action FROM changed UNION ALL SELECT id, 'delete' FROM removed UNION ALL SELECT id, 'insert' FROM added
-- next
SELECT jsonb_pretty(to_jsonb(o)) FROM orders o WHERE id = 3
-- next
SELECT json_object_agg(key, value) FROM settings WHERE key NOT LIKE 'secret%'
-- next
SELECT s.value AS secrets FROM settings s WHERE s.key = 'secrets'
-- next
SELECT * FROM vault_items WHERE vault_items.vault = 'gold'
-- next
SELECT gold, silver FROM medals ORDER BY gold DESC
-- next
SELECT promote, demote FROM promotions_log
-- next
SELECT pg_read_file_count, dblink_uses FROM usage_metrics WHERE metric = 'pg_read_file'
-- next
SELECT proname FROM pg_proc WHERE proname IN ('pg_read_file', 'lo_import', 'pg_ls_dir', 'dblink', 'query_to_xml')
-- next
SELECT has_function_privilege('pg_read_file(text)', 'execute')
-- next
SELECT lo_get(16444), lo_get(16444, 0, 100)
-- next
SELECT 'pg_read_file(''/etc/passwd'')' AS just_a_string
-- next
SELECT 'call promote(''x'')' AS call, 'do $$ begin end $$' AS block
-- next
SELECT "call", "do", "copy" FROM keywords
-- next
SELECT copy.id, do_it.id FROM copies AS copy, doings AS do_it
-- next
SELECT alter_ego, created, grant_total, revoked FROM people
-- next
SELECT set_name FROM sets WHERE set_name = 'set role'
-- next
SELECT array_position(ARRAY['set', 'role'], 'role')
-- next
SELECT comments.comment FROM comments WHERE comments.comment = 'comment on table'
-- next
SELECT prepare_ms, execute_ms FROM timings
-- next
SELECT vacuum_count, analyze_count, autoanalyze_count FROM pg_stat_user_tables
-- next
SELECT $1::text AS "from program", 'to program ''rm -rf /''' AS text
-- next
SELECT regexp_matches('drop table a; drop table b', 'drop table (\w+)', 'g')
-- next
SELECT split_part('delete from orders where id = 1', ' ', 1)
-- next
SELECT string_to_array('truncate,drop,alter', ',')
-- next
SELECT concat_ws(' ', 'drop', 'table', 'doomed')
-- next
SELECT length('drop table doomed'), 'drop' || ' table', left('delete from', 6)
-- next
SELECT translate('DROP', 'DOPR', 'dopr'), repeat('drop ', 3), lpad('drop', 10, '-')
-- next
SELECT position('; drop' IN body) FROM messages WHERE body LIKE '%''; drop%'
-- next
SELECT 'Lorem ipsum dolor sit amet, consectetur adipiscing elit; update at set in where, drop of delete from.' AS filler
-- next
SELECT id FROM reviews WHERE text = $txt$He said: "SELECT * FROM secrets; DROP TABLE secrets;" -- and left$txt$
-- next
SELECT id, "from", "to" FROM mails WHERE subject = 'Re: grant application' AND NOT trashed
-- next
SELECT CURRENT_DATE - due AS overdue_days FROM invoices WHERE state <> 'paid' AND CURRENT_DATE > due
-- next
SELECT CURRENT_TIMESTAMP, LOCALTIMESTAMP(3), CURRENT_TIME
-- next
SELECT o.* FROM orders o WHERE o.id = (SELECT max(id) FROM orders)
-- next
SELECT NOT true, true AND false OR NULL, 1 <> 2, 1 != 2, 3 >= 2
-- next
SELECT -1, +1, - -1, ~1, 2 ^ 3, |/ 4, 5 % 3, 1 << 2, 8 >> 1, 6 & 3, 6 | 3, 6 # 3
-- next
SELECT 'a' < 'b' COLLATE "C", 'abc' ^@ 'a', 'abc' ~~ 'a%', 'abc' !~~* 'X%'
-- next
SELECT ROW(1, 2) = ROW(1, 2), (1, 2) < (1, 3), ROW(1, NULL) IS NULL
-- next
SELECT '{"a": 1}'::jsonb @? '$.a', '{"a": 1}'::jsonb @@ '$.a == 1', '[1]'::jsonb ?| ARRAY['1']
-- next
SELECT '10.0.0.0/8'::inet >> '10.1.2.3', host('10.1.2.3/32'), '08:00:2b:01:02:03'::macaddr
-- next
SELECT date_bin('15 minutes', at, TIMESTAMP '2001-01-01') AS slot, count(*) FROM visits GROUP BY slot
-- next
SELECT (now() - interval '1 day')::date AS yesterday, make_date(2024, 2, 29), justify_interval(interval '40 days')
-- next
SELECT pg_typeof(1), pg_typeof('x'), 'orders'::regclass, 'int4'::regtype, 'now()'::text
-- next
SELECT xmlserialize(CONTENT xmlforest(name, email) AS text) FROM customers
-- next
SELECT * FROM xmltable('/r/i' PASSING '<r><i>1</i></r>' COLUMNS i int PATH '.')
-- next
SELECT tableoid::regclass, count(*) FROM events GROUP BY 1
-- next
SELECT x FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) WITH ORDINALITY AS x (n, l, o)
-- next
SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS t (a, b)
-- next
SELECT count(*) FROM customers WHERE email LIKE '%@example.com' AND created_at BETWEEN symmetric '2024-12-31' AND '2024-01-01'
-- next
SELECT id FROM parcels WHERE status = 'DROPPED OFF' OR status = 'UPDATE PENDING'
-- next
SELECT trunc(1.5), truncate_name FROM truncations
-- next
SELECT ((((1 + 2)) * ((3))))
-- next
SELECT   id	,
	name

FROM
	customers
WHERE	id
=
1
-- next
SELECT/**/1/**/AS/**/one
-- next
select 1 as one, 2 as"two",'x'as three
-- next
SELECT -- first the id
  id, /* then
  the name */ name -- and no more
FROM customers -- all of them
-- next
SELECT 1 /* don't */, 2 -- can't
-- next
--
-- PostgreSQL report
--
SELECT 1;
-- next
-- only a comment
-- next
/* only a block comment */
-- next
SELECT '/* not a comment */', '-- neither', $a$ /* nor $b$ here */ $a$
-- next
SELECT "a""b", "c'd", "e;f" FROM "g--h"
-- next
SELECT U&"d\0061ta" FROM customers
-- next
EXPLAIN (ANALYZE false) SELECT 'truncate'
-- next
EXPLAIN ANALYZE SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name = 'drop'
-- next: hidden
FETCH BACKWARD ALL FROM report
-- next
BEGIN; DECLARE report SCROLL CURSOR FOR SELECT * FROM orders ORDER BY id; FETCH BACKWARD ALL FROM report; COMMIT
-- next: hidden
FETCH ABSOLUTE -1 FROM report
-- next
BEGIN; DECLARE report SCROLL CURSOR FOR SELECT * FROM orders ORDER BY id; FETCH ABSOLUTE -1 FROM report; COMMIT
-- next
LOCK TABLE ONLY customers IN ACCESS SHARE MODE NOWAIT
-- next
ROLLBACK PREPARED 'tx-1'
-- next
COMMIT PREPARED 'tx-1'
-- next
PREPARE TRANSACTION 'tx-1'
-- next: lock
BEGIN; SELECT pg_advisory_xact_lock(7); SELECT balance FROM accounts WHERE id = 7 FOR UPDATE; ROLLBACK
-- next
SELECT nextval('invoice_numbers')
-- next: alter
SELECT setval('invoice_numbers', (SELECT max(number) FROM invoices))
-- next: set
SELECT set_config('app.tenant', '42', true)
-- next: set
SELECT set_config('search_path', 'app,public', false)
-- next: insert
INSERT INTO "users" ("id", "email", "deleted_at") VALUES (DEFAULT, $1, NULL) RETURNING "id", "created_at"
-- next: insert
insert into hibernate_log (action, at) values ('DROP TABLE', now())
-- next: insert
INSERT INTO comments (post_id, body) VALUES (1, 'First you DELETE FROM orders; then you cry. -- Bobby'), (2, '/* hi */ truncate me')
-- next: insert
INSERT INTO translations (lang, text) VALUES ('fr', 'L''été'), ('ja', '削除'), ('ru', 'удалить'), ('full', 'ｄｒｏｐ')
-- next: insert
INSERT INTO snippets (code) VALUES ($code$
CREATE TABLE x (id int);
DROP TABLE x;
$code$)
-- next: insert
INSERT INTO ledger (account_id, amount) SELECT id, -10 FROM accounts WHERE id = 1 UNION ALL SELECT id, 10 FROM accounts WHERE id = 2
-- next: insert
INSERT INTO snapshots SELECT now(), a.* FROM accounts a
-- next: insert
INSERT INTO outbox (topic, payload) VALUES ('orders.deleted', jsonb_build_object('id', 7))
-- next: insert
WITH o AS (SELECT * FROM orders WHERE id = 7) INSERT INTO order_history SELECT * FROM o RETURNING id
-- next: insert
INSERT INTO big (a) VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15), (16), (17), (18), (19), (20)
-- next: update
UPDATE "users" SET "email" = $1, "updated_at" = now() WHERE "id" = $2
-- next: update
update product p set stock = p.stock - l.qty from order_line l where l.product_id = p.id and l.order_id = 7
-- next: update
UPDATE profiles SET bio = 'I drop tables; I delete from nothing' WHERE user_id = 9
-- next: update
UPDATE jobs SET attempts = attempts + 1, last_error = 'truncated' WHERE id = 4 AND attempts < 5 RETURNING attempts
-- next: update
UPDATE accounts_history SET note = 'x' WHERE account_id IN (SELECT id FROM accounts WHERE balance = 0)
-- next: update
UPDATE customers SET address.city = 'Berlin' WHERE id = 2
-- next: update
UPDATE customers SET name = $$O'Brien; DROP TABLE x$$ WHERE id = 8
-- next: delete
delete from "sessions" where "sessions"."id" in ($1, $2, $3)
-- next: delete
DELETE FROM subscriptions WHERE customer_id = 5 AND ends_at < now() RETURNING *
-- next: delete
DELETE FROM accounts_history h WHERE h.account_id NOT IN (SELECT id FROM accounts)
-- next: delete
DELETE FROM votes WHERE (user_id, post_id) = (1, 2)
-- next: create
CREATE TABLE accounts_history (id bigserial PRIMARY KEY, account_id int REFERENCES customers)
-- next: create
CREATE TABLE IF NOT EXISTS schema_migrations (version text PRIMARY KEY, applied_at timestamptz DEFAULT now())
-- next: create
CREATE TABLE "UserProfile" ("id" SERIAL NOT NULL, "bio" TEXT, CONSTRAINT "UserProfile_pkey" PRIMARY KEY ("id"))
-- next: create
CREATE INDEX IF NOT EXISTS "ix_users_deleted" ON "users" ("deleted_at" DESC NULLS LAST)
-- next: create
CREATE VIEW order_totals AS SELECT c.id, c.name, x.total FROM customers c JOIN LATERAL (SELECT sum(total) AS total FROM invoices i WHERE i.customer_id = c.id) x ON true
-- next: create
CREATE RECURSIVE VIEW hierarchy (id, depth) AS SELECT id, 1 FROM staff WHERE manager_id IS NULL UNION ALL SELECT s.id, h.depth + 1 FROM staff s JOIN hierarchy h ON s.manager_id = h.id
-- next: create
CREATE TYPE "Role" AS ENUM ('ADMIN', 'DROP', 'USER')
-- next: create
CREATE TABLE metrics (at timestamptz, value float8, PRIMARY KEY (at)) USING heap
-- next: create
CREATE TABLE t_identity (id int GENERATED BY DEFAULT AS IDENTITY (START WITH 10 INCREMENT BY 10))
-- next: alter
ALTER TABLE "users" ADD COLUMN "deleted_at" TIMESTAMP(3), ALTER COLUMN "email" SET DATA TYPE VARCHAR(320)
-- next: alter
ALTER TABLE invoices ADD CONSTRAINT positive CHECK (total > 0) NOT VALID; ALTER TABLE invoices VALIDATE CONSTRAINT positive
-- next: alter
ALTER TABLE events ALTER COLUMN payload SET STORAGE EXTERNAL, ALTER COLUMN kind SET STATISTICS 500
-- next: alter
ALTER TABLE child NO INHERIT parent_of_child
-- next: alter
ALTER TABLE invoices REPLICA IDENTITY USING INDEX invoices_pkey
-- next: alter
ALTER TABLE totals ALTER COLUMN c DROP EXPRESSION IF EXISTS
-- next: alter
ALTER TYPE address ADD ATTRIBUTE zip text CASCADE
-- next: alter
ALTER TRIGGER touch ON customers RENAME TO touch_updated_at
-- next: drop
DROP INDEX IF EXISTS "ix_users_deleted"
-- next: drop
DROP TABLE "UserProfile"
-- next: drop
DROP AGGREGATE product (numeric)
-- next: drop
DROP DOMAIN IF EXISTS email RESTRICT
