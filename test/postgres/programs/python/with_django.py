"""Django with psycopg 3: what it sees of the database that the PG* variables name, as JSON. The argument is a folder to write in."""
import io
import json
import os
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import django
import psycopg
from django.conf import settings
from django.core.management import call_command

folder = Path(sys.argv[1])
app = folder / "shop"
app.mkdir(exist_ok=True)
(app / "__init__.py").write_text("")
(app / "models.py").write_text('''
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Author(models.Model):
    name = models.TextField(unique=True)
    traits = models.JSONField(default=dict)
    born = models.DateTimeField(null=True)


class Book(models.Model):
    titles = ArrayField(models.TextField())
    price = models.DecimalField(max_digits=10, decimal_places=2, db_index=True)
    author = models.ForeignKey(Author, on_delete=models.CASCADE, related_name="books")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(price__gte=0), name="not_negative")]
''')
sys.path.insert(0, str(folder))
settings.configure(
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.postgres", "shop"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "HOST": os.environ["PGHOST"],
            "PORT": os.environ["PGPORT"],
            "USER": os.environ["PGUSER"],
            "PASSWORD": os.environ["PGPASSWORD"],
            "NAME": os.environ["PGDATABASE"],
            "CONN_MAX_AGE": None,
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.models import Permission  # noqa: E402
from django.db import DatabaseError, IntegrityError, connection, transaction  # noqa: E402
from django.db.models import Count, Sum  # noqa: E402
from shop.models import Author, Book  # noqa: E402

seen = {}


def printed(*command, **options):
    out = io.StringIO()
    call_command(*command, stdout=out, no_color=True, **options)
    return out.getvalue().splitlines()


def error(work):
    try:
        with transaction.atomic():
            work()
    except DatabaseError as raised:
        cause = raised.__cause__
        return [type(raised).__name__, type(cause).__name__, cause.sqlstate, str(cause).splitlines()[0]]
    return None


seen["made"] = len(printed("makemigrations", "shop"))
seen["migrated"] = printed("migrate")
seen["migrated again"] = printed("migrate")
seen["permissions"] = Permission.objects.count()
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE scratch (id int)")
seen["reflected"] = printed("inspectdb", "shop_author", "shop_book", "auth_user")

ursula = Author.objects.create(name="Ursula ü", traits={"a": [1, None]}, born=datetime(2000, 1, 2, tzinfo=timezone.utc))
Book.objects.bulk_create(
    Book(titles=[f"t{n}", '"q", {'], price=Decimal(f"{n}.50"), author=ursula) for n in range(1, 51)
)
seen["found"] = list(Author.objects.annotate(n=Count("books"), sum=Sum("books__price")).values())
seen["page"] = list(Book.objects.select_related("author").order_by("id").values_list("titles", "author__name")[2:5])
seen["contains"] = Book.objects.filter(titles__contains=["t3"]).count()
seen["by JSON"] = Author.objects.filter(traits__a__0=1).count()
seen["updated"] = Book.objects.filter(price__gt=10).update(titles=[])
seen["iterated"] = sum(1 for _ in Book.objects.order_by("id").iterator(chunk_size=7))
seen["got"] = [Author.objects.get_or_create(name=name)[1] for name in ("Ursula ü", "Ada")]
seen["deleted"] = Author.objects.filter(name="Ada").delete()
try:
    with transaction.atomic():
        Author.objects.create(name="lost")
        with transaction.atomic():
            Author.objects.create(name="lost")
except IntegrityError as raised:
    seen["error"] = [type(raised).__name__, raised.__cause__.sqlstate]
seen["rolled back"] = Author.objects.filter(name="lost").count()
with transaction.atomic():
    seen["locked"] = list(Author.objects.select_for_update().values_list("name", flat=True))

def execute(sql, values=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchone() if cursor.description else None


before = execute("SELECT pg_backend_pid()")
refused = [
    error(lambda: execute("DROP TABLE scratch")),
    error(lambda: execute("UPDATE shop_book SET price = 1")),
    error(lambda: execute("SELECT %s", ["zanzibar_denied"])),
    error(lambda: call_command("migrate", "shop", "zero", verbosity=0)),
]
seen["same session"] = execute("SELECT pg_backend_pid()") == before
seen["after"] = Author.objects.count() if refused[-1] else 1

versions = {"Django": django.__version__, "psycopg": psycopg.__version__}
print(json.dumps({"versions": versions, "seen": seen, "refused": refused}, default=str))
