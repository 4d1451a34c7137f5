"""dbt with dbt-postgres: what it makes and sees in the database that the PG* variables name, as JSON. The argument is a folder to write in."""
import contextlib
import io
import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

os.environ["DBT_SEND_ANONYMOUS_USAGE_STATS"] = "false"

import psycopg2  # noqa: E402
from dbt.cli.main import dbtRunner  # noqa: E402

folder = Path(sys.argv[1])


def write(name, text):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


connection = {
    "type": "postgres",
    "host": os.environ["PGHOST"],
    "port": int(os.environ["PGPORT"]),
    "user": os.environ["PGUSER"],
    "pass": os.environ["PGPASSWORD"],
    "dbname": os.environ["PGDATABASE"],
    "schema": "shop",
    "threads": 1,
}
# JSON is YAML, too.
write("profiles.yml", json.dumps({"shop": {"target": "dev", "outputs": {"dev": connection}}}))
write("dbt_project.yml", json.dumps({"name": "shop", "version": "1.0", "config-version": 2, "profile": "shop", "flags": {}}))
write("seeds/authors.csv", 'id,name,born\n1,Ursula ü,1929-10-21\n2,"O\'Neil, ""Q""",\n')
write("models/books.sql", """{{ config(materialized='table', indexes=[{'columns': ['id'], 'unique': true}]) }}
select n as id, 1 + n % 2 as author_id, n + 0.5 as price from generate_series(1, 50) as n""")
write("models/named.sql", "select b.id, a.name from {{ ref('books') }} b join {{ ref('authors') }} a on a.id = b.author_id")
write("models/growing.sql", """{{ config(materialized='incremental', unique_key='id', incremental_strategy='delete+insert') }}
select id, price from {{ ref('books') }}
{% if is_incremental() %} where id > (select max(id) - 5 from {{ this }}) {% endif %}""")
write("models/merged.sql", """{{ config(materialized='incremental', unique_key='id', incremental_strategy='merge') }}
select id, price from {{ ref('books') }}""")
write("models/stored.sql", "{{ config(materialized='materialized_view') }} select count(*) as n from {{ ref('books') }}")
write("models/failing.sql", "{{ config(tags=['wrong']) }} select no_such_column from {{ ref('books') }}")
# dbt gives what `grants` names after it made the table.
write("models/granted.sql", "{{ config(materialized='table', tags=['refused'], grants={'select': ['pg_monitor']}) }} select 1 as a")
write("models/hooked.sql", """{{ config(materialized='table', tags=['refused'], pre_hook="update shop.growing set price = price") }}
select 1 as a""")
write("models/worded.sql", "{{ config(materialized='table', tags=['refused']) }} select 'zanzibar_denied' as a")
write("models/zz_later.sql", "{{ config(materialized='table', tags=['refused']) }} select count(*) as n from {{ ref('books') }}")
write("models/schema.yml", json.dumps({"models": [{"name": "books", "description": "größe", "config": {"persist_docs": {"relation": True}},
    "columns": [{"name": "id", "data_tests": ["unique", "not_null"]},
                {"name": "author_id", "data_tests": [{"relationships": {"arguments": {"to": "ref('authors')", "field": "id"}}}]}]}]}))
write("snapshots/kept.yml", json.dumps({"snapshots": [{"name": "kept", "relation": "ref('authors')",
    "config": {"unique_key": "id", "strategy": "check", "check_cols": ["name"]}}]}))

runner = dbtRunner()
options = ["--project-dir", str(folder), "--profiles-dir", str(folder), "--quiet", "--no-use-colors"]
seen = {}


def run(*command):
    with contextlib.redirect_stdout(io.StringIO()):
        outcome = runner.invoke([*command, *options])
    if outcome.exception is not None:
        raise outcome.exception
    return outcome.result


def results(*command):
    return sorted([one.node.name, str(one.status), one.message] for one in run(*command))


rest = ["--exclude", "tag:wrong", "tag:refused"]
seen["debug"] = run("debug")
seen["built"] = results("build", *rest)
write("seeds/authors.csv", "id,name,born\n1,Ursula L.,1929-10-21\n2,Ada,\n")
seen["built again"] = results("build", *rest)
seen["shown"] = [list(row) for row in run("show", "--select", "named", "--limit", "3").results[0].agate_table.rows]
seen["error"] = [[one[0], one[1], one[2].splitlines()[:2]] for one in results("run", "--select", "tag:wrong")]
catalog = run("docs", "generate")
seen["catalog"] = {
    name: [node.metadata.type, node.metadata.comment, [[one.name, one.type] for one in node.columns.values()]]
    for name, node in sorted(catalog.nodes.items())
    if name.split(".")[-1] not in ("granted", "hooked", "worded", "zz_later")
}
ran = {name: [status, message] for name, status, message in results("run", "--select", "tag:refused")}
seen["after"] = ran.pop("zz_later")
refused = [None if status == "success" else [status, *message.splitlines()] for status, message in ran.values()]

direct = psycopg2.connect("")
cursor = direct.cursor()
for table in ("kept", "growing", "merged", "stored", "named"):
    cursor.execute(f"select count(*) from shop.{table}")
    seen[f"rows of {table}"] = cursor.fetchone()
direct.close()

versions = {"dbt-core": version("dbt-core"), "dbt-postgres": version("dbt-postgres"), "psycopg2": version("psycopg2-binary")}
print(json.dumps({"versions": versions, "seen": seen, "refused": refused}, default=str))
