"""pgAdmin 4: what its server answers about the database that the PG* variables name, as JSON. The argument is a folder to write in.

pgAdmin runs as on a desktop (a server of one person, without its window), and is asked what its page asks: a server is
registered, connected to and opened in the tree, then its dashboard, the query tool and a table's rows.
"""
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from http.cookiejar import CookieJar
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

START_SECONDS = 200
ANSWER_SECONDS = 100
NUMBER = "536-90-4399"

folder = Path(sys.argv[1])
seen, refused = {}, []


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Page:
    """What the page of pgAdmin does: requests with its cookies and its token."""

    def __init__(self, port, key):
        self.base = f"http://127.0.0.1:{port}"
        self.key = key
        self.opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))
        self.headers = {}

    def answer(self, method, path, body=None, query=None):
        """The status and the text."""
        url = self.base + path + ("?" + urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data, {"Content-Type": "application/json", **self.headers}, method=method)
        try:
            with self.opener.open(request, timeout=ANSWER_SECONDS) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def ask(self, method, path, body=None, query=None):
        status, text = self.answer(method, path, body, query)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {text}")
        return json.loads(text)

    def get(self, path, **query):
        return self.ask("GET", path, query=query)

    def open(self, pgadmin):
        """Waits for the start, signs in as the window does, and takes the token."""
        until = time.monotonic() + START_SECONDS
        while True:
            if pgadmin.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"pgAdmin did not start:\n{(folder / 'printed').read_text()}")
            try:
                status, text = self.answer("GET", "/browser/js/utils.js", query={"key": self.key})
                break
            except (URLError, ConnectionError):
                time.sleep(0.5)
        header, token = (re.search(rf"pgAdmin\['{name}'\] = '([^']+)'", text) for name in ("csrf_token_header", "csrf_token"))
        self.headers = {header[1]: token[1]}


def plain(value):
    """Without ids of objects: those of two databases differ."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"(?<!\d)\d{5,}(?!\d)", "id", value.replace(os.environ["PGDATABASE"], "OWN"))
    return "id" if isinstance(value, int) and value >= 16384 else value


def in_order(rows):
    return sorted(plain(rows), key=json.dumps)


def shape(rows):
    """Names and types of what changes from one moment to the next."""
    return {name: type(value).__name__ for name, value in rows.items()}


class QueryTool:
    """A tab with statements, or with the rows of a table."""

    last = 1000

    def __init__(self, opened, body):
        QueryTool.last += 1
        self.id = QueryTool.last
        self.opened = page.ask("POST", opened.format(self.id), body)

    def polled(self):
        """The status and the answer, once it is there, and the server's notices, which may come before it or with it."""
        notices = ""
        until = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < until:
            status, text = page.answer("GET", f"/sqleditor/poll/{self.id}")
            answer = json.loads(text)
            if status != 200:
                return status, answer, notices
            if answer["data"]["status"] != "Busy":
                return status, answer, notices + (answer["data"]["additional_messages"] or "")
            notices += answer["data"]["result"] or ""
            time.sleep(0.1)
        raise RuntimeError("no result")

    def start(self, sql, plan=None):
        page.ask("POST", f"/sqleditor/query_tool/start/{self.id}", {"sql": sql, "explain_plan": plan})

    def run(self, sql, plan=None):
        """The result, or the error as the page shows it."""
        self.start(sql, plan)
        status, answer, notices = self.polled()
        if status != 200:
            return [status, *answer["errormsg"].splitlines()]
        data = answer["data"]
        columns = [[one["name"], one["type_name"]] for one in data["colinfo"] or [] if "type_name" in one]
        result = data["result"]
        # A command's status follows the notices that came with it.
        result = result.splitlines()[-1:] if isinstance(result, str) else result
        return {"status": data["status"], "rows": data["rows_affected"], "result": result, "columns": columns, "notices": notices}

    def error(self, sql):
        outcome = self.run(sql)
        return outcome if isinstance(outcome, list) else None

    def close(self):
        return page.ask("DELETE", f"/sqleditor/close/{self.id}")["data"]


def sleeper(at):
    """The process id of the session that sleeps, once the dashboard has it."""
    until = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < until:
        for one in page.get(f"/dashboard/activity/{at}")[0]["activity"]:
            if one["state"] == "active" and "pg_sleep" in one["query"] and "CONN:" in one["application_name"]:
                return one["pid"]
        time.sleep(0.1)
    raise RuntimeError("nothing sleeps")


def run():
    host, port, user, password, database = (
        os.environ[f"PG{name}"] for name in ("HOST", "PORT", "USER", "PASSWORD", "DATABASE")
    )
    # The server, as a person fills in the dialog: with no password kept.
    registered = page.ask("POST", "/browser/server/obj/1/", {
        "gid": 1, "name": "of the test", "host": host, "port": int(port), "db": database, "username": user,
        "role": "", "connect_now": False, "shared": False, "save_password": False,
        "connection_params": [
            {"name": "sslmode", "value": "prefer", "keyword": "sslmode"},
            {"name": "connect_timeout", "value": 60, "keyword": "connect_timeout"},
        ],
    })["node"]
    sid = registered["_id"]
    server = f"1/{sid}"
    status, asked = page.answer("POST", f"/browser/server/connect/{server}", {})
    seen["asks for the password"] = status
    status, _ = page.answer("POST", f"/browser/server/connect/{server}", {"password": "wrong", "save_password": False})
    seen["takes no wrong password"] = status
    connected = page.ask("POST", f"/browser/server/connect/{server}", {"password": password, "save_password": False})
    seen["connected"] = [connected["info"], plain({**connected["data"], "icon": None})]
    seen["server"] = [one for one in page.get(f"/browser/server/obj/{server}").items()
                      if one[0] in ("name", "server_type", "version", "connected", "db")]

    # The tree, as it is opened.
    def nodes(kind, path):
        return page.get(f"/browser/{kind}/nodes/{path}/")["data"]

    databases = {one["label"]: one for one in nodes("database", server)}
    seen["databases"] = sorted(name for name in databases if name in ("postgres", database))
    did = databases[database]["_id"]
    within = f"{server}/{did}"
    opened = page.ask("POST", f"/browser/database/connect/{within}", {})
    seen["opened"] = [opened["info"], plain(opened["data"])]
    seen["database"] = plain({name: value for name, value in page.get(f"/browser/database/obj/{within}").items()
                              if name in ("name", "datowner", "encoding", "datcollate", "comments", "acl")})

    # The query tool: tables are made in it.
    body = {"user": user, "role": "", "dbname": database}
    tool = QueryTool(f"/sqleditor/initialize/sqleditor/{{}}/{within}", body)
    seen["version"] = tool.opened["data"]["serverVersion"]
    made = tool.run("""
        CREATE SCHEMA shop;
        CREATE TABLE shop.author (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
            number text, born timestamptz, traits jsonb DEFAULT '{}', notes text[], price numeric(10,2) CHECK (price >= 0));
        COMMENT ON TABLE shop.author IS 'größe';
        CREATE INDEX by_price ON shop.author (price) WHERE price > 1;
        CREATE VIEW shop.named AS SELECT id, name FROM shop.author;
        CREATE FUNCTION shop.twice(a int) RETURNS int LANGUAGE sql AS 'SELECT a * 2';
        CREATE TABLE shop.scratch (id int REFERENCES shop.author CHECK (id > 0), UNIQUE (id));
        CREATE DOMAIN shop.few AS int CHECK (value < 10);
        CREATE TYPE shop.mood AS ENUM ('größe', 'b');
        CREATE MATERIALIZED VIEW shop.kept AS SELECT count(*) FROM shop.author;
        CREATE TRIGGER unchanged BEFORE UPDATE ON shop.author FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();
        CREATE RULE nowhere AS ON INSERT TO shop.scratch DO INSTEAD NOTHING;
        CREATE FOREIGN DATA WRAPPER wrapper;
    """)
    seen["made"] = made["status"]
    tool.run(f"""INSERT INTO shop.author (name, number, born, notes, price) SELECT 'Ursula ü ' || n,
        '{NUMBER}', '2000-01-02Z', ARRAY['"q", {{', NULL], n + 0.5 FROM generate_series(1, 1500) n""")

    schemas = {one["label"]: one["_id"] for one in nodes("schema", within)}
    seen["schemas"] = sorted(schemas)
    inside = f"{within}/{schemas['shop']}"
    tables = {one["label"]: one["_id"] for one in nodes("table", inside)}
    seen["tables"] = sorted(tables)
    for kind in ("view", "function", "sequence", "type", "domain", "mview", "trigger_function", "foreign_table"):
        found = nodes(kind, inside)
        seen[f"of kind {kind}"] = [[one["label"], page.get(f"/browser/{kind}/sql/{inside}/{one['_id']}")] for one in found]
    for kind in ("extension", "language", "cast", "event_trigger", "foreign_data_wrapper", "publication"):
        seen[f"of the database: {kind}"] = sorted(one["label"] for one in nodes(kind, within))
    # Other tests have roles and tablespaces on the server, too.
    for kind, known in (("role", "pg_monitor"), ("tablespace", "pg_default")):
        seen[f"of the server: {kind}"] = [one["label"] for one in nodes(kind, server) if one["label"] == known]
    author, scratch = f"{inside}/{tables['author']}", f"{inside}/{tables['scratch']}"
    for kind in ("column", "index", "primary_key", "unique_constraint", "check_constraint", "foreign_key", "trigger", "rule"):
        found = [[path, one] for path in (author, scratch) for one in nodes(kind, path)]
        seen[f"of the tables: {kind}"] = [[one["label"], page.get(f"/browser/{kind}/sql/{path}/{one['_id']}")] for path, one in found]
    seen["columns"] = plain(page.get(f"/browser/column/obj/{author}/"))
    table = page.get(f"/browser/table/obj/{author}")
    # Autovacuum may count in between.
    seen["table"] = plain({name: value for name, value in table.items() if name not in ("reltuples", "rows_cnt")})
    seen["table in SQL"] = page.get(f"/browser/table/sql/{author}")
    seen["statistics"] = sorted(page.get(f"/browser/table/stats/{author}")["data"]["rows"][0])
    seen["dependents"] = in_order(page.get(f"/browser/table/dependent/{author}"))
    seen["dependencies"] = in_order(page.get(f"/browser/table/dependency/{author}"))
    seen["found"] = in_order(page.get(f"/search_objects/search/{sid}/{did}", text="author", type="all")["data"])
    seen["counted"] = page.get(f"/browser/table/count_rows/{author}")["data"]

    seen["catalogs"] = sorted(one["label"] for one in nodes("catalog", within))
    catalog = next(one["_id"] for one in nodes("catalog", within) if "pg_catalog" in json.dumps(one) or "PostgreSQL" in one["label"])
    seen["functions of the catalog"] = sorted(one["label"] for one in nodes("function", f"{within}/{catalog}"))
    seen["views of the catalog"] = sorted(one["label"] for one in nodes("view", f"{within}/{catalog}"))
    seen["database in SQL"] = plain(page.get(f"/browser/database/sql/{within}"))
    seen["schema in SQL"] = page.get(f"/browser/schema/sql/{inside}")

    # The dialog of a new table, and one of a column.
    by_dialog = page.ask("POST", f"/browser/table/obj/{inside}/", {
        "name": "by_dialog", "schema": "shop", "relowner": "", "columns": [
            {"name": "id", "cltype": "integer", "attnotnull": True, "is_primary_key": True, "attacl": [], "attoptions": [],
             "seclabels": []},
            {"name": "größe", "cltype": "text", "attacl": [], "attoptions": [], "seclabels": []}],
        "primary_key": [{"columns": [{"column": "id"}]}], "relacl": [], "seclabels": [], "coll_inherits": "[]",
    })["node"]
    seen["by dialog"] = page.get(f"/browser/table/sql/{inside}/{by_dialog['_id']}")
    seen["changed by dialog"] = plain(page.ask("PUT", f"/browser/table/obj/{inside}/{by_dialog['_id']}", {
        "oid": by_dialog["_id"], "description": "Ü", "columns": {"added": [
            {"name": "more", "cltype": "bigint", "attacl": [], "attoptions": [], "seclabels": []}]}})["node"])

    # The dashboard.
    charts = "session_stats,tps_stats,ti_stats,to_stats,bio_stats"
    for name, at in (("server", sid), ("database", f"{sid}/{did}")):
        stats = page.get(f"/dashboard/dashboard_stats/{at}", chart_names=charts)
        seen[f"dashboard of the {name}"] = {chart: shape(value) for chart, value in sorted(stats.items())}
    activity = page.get(f"/dashboard/activity/{sid}/{did}")[0]
    own = [one for one in activity["activity"] if one["application_name"].startswith("pgAdmin")]
    # The id of the query tool's connection is drawn.
    seen["sessions"] = sorted([re.sub(r"CONN:\d+", "CONN", one["application_name"]), one["usename"], one["backend_type"]]
                              for one in own)
    seen["locks"] = sorted(activity["locks"][0])
    seen["prepared"] = activity["prepared"]
    settings = page.get(f"/dashboard/config/{sid}")
    seen["settings"] = [one["name"] for one in settings]
    seen["system statistics"] = page.get(f"/dashboard/check_extension/system_statistics/{sid}/{did}")

    # What a person does in the query tool.
    seen["selected"] = tool.run("SELECT id, name, born, traits, notes, price, NULL, 'ü'::bytea FROM shop.author ORDER BY id LIMIT 5")
    seen["a page"] = [len(tool.run("SELECT id, name FROM shop.author ORDER BY id")["result"])]
    seen["next page"] = page.get(f"/sqleditor/fetch_window/{tool.id}/1001/1100")["data"]["result"][:2]
    seen["all"] = len(page.get(f"/sqleditor/fetch_all_from_start/{tool.id}/2000")["data"]["result"])
    seen["notice"] = tool.run("CREATE TABLE IF NOT EXISTS shop.scratch (id int)")
    seen["error"] = tool.run("SELECT * FROM no_such")
    seen["explained"] = tool.run("EXPLAIN (FORMAT JSON, COSTS off) SELECT * FROM shop.author WHERE id = 1")["result"]
    plan = {"format": "json", "analyze": True, "verbose": False, "costs": False, "buffers": False, "timing": False, "summary": False,
            "settings": False}
    seen["plan"] = str(tool.run("SELECT * FROM shop.author WHERE id = 1", plan)["result"])
    csv = page.answer("POST", f"/sqleditor/query_tool/download/{tool.id}",
                      {"query": "SELECT id, name, born, notes FROM shop.author ORDER BY id", "query_commited": True, "filename": "a.csv"})
    seen["downloaded"] = [csv[0], csv[1].count("\n"), csv[1][:200]]
    page.ask("POST", f"/sqleditor/server_cursor/{tool.id}", True)
    seen["by a cursor"] = tool.run("SELECT id, name FROM shop.author ORDER BY id")["rows"]
    seen["next page of the cursor"] = page.get(f"/sqleditor/fetch_window/{tool.id}/1001/1100")["data"]["result"][:2]
    seen["cursor ended"] = tool.run("COMMIT;")["status"]
    page.ask("POST", f"/sqleditor/server_cursor/{tool.id}", False)
    seen["in a transaction"] = [tool.run(sql)["status"] for sql in ("BEGIN", "DELETE FROM shop.author WHERE id > 3", "ROLLBACK")]
    seen["transaction"] = page.get(f"/sqleditor/status/{tool.id}")["data"]["status"]
    status, text = page.answer("POST", f"/sqleditor/autocomplete/{tool.id}", ["SELECT * FROM shop.aut", "SELECT * FROM shop.aut"])
    seen["completed"] = sorted(json.loads(text)["data"]["result"])[:3]
    tool.start("SELECT pg_sleep(90)")
    sleeper(f"{sid}/{did}")
    begun = time.monotonic()
    page.ask("POST", f"/sqleditor/cancel/{tool.id}", {})
    status, answer, _ = tool.polled()
    seen["cancelled"] = [status, answer.get("errormsg") or answer["data"]["status"], time.monotonic() - begun < 60]
    tool.start("SELECT pg_sleep(91)")
    sleeping = sleeper(f"{sid}/{did}")
    seen["cancelled from the dashboard"] = [page.ask("DELETE", f"/dashboard/cancel_query/{sid}/{did}/{sleeping}"), tool.polled()[0]]

    # A table's rows, one of them changed.
    rows = QueryTool(f"/sqleditor/initialize/viewdata/{{}}/4/table/{within}/{tables['author']}", {"sql_filter": "id < 4"})
    started = page.get(f"/sqleditor/view_data/start/{rows.id}")["data"]
    seen["rows asked"] = [started["sql"], started["can_edit"]]
    _, shown, _ = rows.polled()
    seen["rows"] = [shown["data"]["primary_keys"], [one["name"] for one in shown["data"]["colinfo"]],
                    [row[:2] for row in shown["data"]["result"]]]
    saved = page.ask("POST", f"/sqleditor/save/{rows.id}", {
        "updated": {"1": {"err": False, "data": {"name": "Ada"}, "primary_keys": {"id": 2}}},
        "added": {}, "staged_rows": {}, "deleted": {}, "updated_index": {"1": "1"}, "added_index": {}, "columns": shown["data"]["colinfo"],
    })["data"]
    seen["saved"] = saved["status"]
    rows.close()
    seen["changed"] = tool.run("SELECT name FROM shop.author WHERE id = 2")["result"]

    masked = re.findall(r'"([^"]+)"', page.answer("POST", f"/sqleditor/query_tool/download/{tool.id}", {
        "query": "SELECT number FROM shop.author ORDER BY id LIMIT 2", "query_commited": True, "filename": "a.csv"})[1])[1:]
    masked += [row[0] for row in tool.run("SELECT number FROM shop.author ORDER BY id LIMIT 2")["result"]]
    masked += [row[2] for row in shown["data"]["result"]]
    assert len(masked) == 7, masked

    # What the rules refuse: in the query tool, and by a command of the tree.
    before = tool.run("SELECT pg_backend_pid()")["result"]
    refused.append(tool.error("DROP TABLE shop.scratch"))
    refused.append(tool.error("UPDATE shop.author SET price = 1"))
    refused.append(tool.error("SELECT 'zanzibar_denied'"))
    refused.append(tool.error("DO $$ BEGIN NULL; END $$"))
    seen["same session"] = tool.run("SELECT pg_backend_pid()")["result"] == before
    status, text = page.answer("DELETE", f"/browser/table/obj/{inside}/{by_dialog['_id']}")
    refused.append(None if status == 200 else [status, *json.loads(text)["errormsg"].splitlines()])
    # A connection has one database: another one in the tree does not open, and the tree goes on.
    other = f"{server}/{databases['postgres']['_id']}"
    status, text = page.answer("POST", f"/browser/database/connect/{other}", {})
    refused.append(None if status == 200 else [status, *json.loads(text)["errormsg"].splitlines()])
    seen["tree after"] = [one["label"] for one in nodes("view", inside)]
    seen["after"] = tool.run("SELECT count(*) FROM shop.author")["result"]

    seen["closed"] = tool.close()
    seen["database closed"] = page.ask("DELETE", f"/browser/database/connect/{within}")["info"]
    seen["disconnected"] = page.ask("DELETE", f"/browser/server/connect/{server}")["info"]
    return masked


web = Path(find_spec("pgadmin4").submodule_search_locations[0])
settings = folder / "settings.py"
settings.write_text(f"""
DATA_DIR = {str(folder / 'data')!r}
MASTER_PASSWORD_REQUIRED = False
UPGRADE_CHECK_ENABLED = False
USE_OS_SECRET_STORAGE = False
""")
port, key = free_port(), secrets.token_hex(16)
# Nothing of the way to the database is in its environment: it has what is registered.
environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
environment |= {
    "PGADMIN_SERVER_MODE": "OFF", "PGADMIN_INT_PORT": str(port), "PGADMIN_INT_KEY": key, "CONFIG_DISTRO_FILE_PATH": str(settings),
}
with open(folder / "printed", "w") as printed:
    pgadmin = subprocess.Popen([sys.executable, str(web / "pgAdmin4.py")], env=environment, stdout=printed, stderr=printed,
                               stdin=subprocess.DEVNULL, cwd=folder)
# Python ends at SIGTERM without what is under finally.
signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
try:
    page = Page(port, key)
    page.open(pgadmin)
    masked = run()
finally:
    pgadmin.kill()
    pgadmin.wait()

versions = {"pgAdmin": version("pgadmin4"), "psycopg": version("psycopg")}
print(json.dumps({"versions": versions, "seen": seen, "refused": refused, "masked": masked}))
