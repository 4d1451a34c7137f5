"""SQLAlchemy with psycopg 3: what it sees of the database that the PG* variables name, as JSON."""
import json
from datetime import datetime, timezone
from decimal import Decimal

import psycopg
import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload
from sqlalchemy.dialects import postgresql


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(sa.Text, unique=True)
    traits: Mapped[dict] = mapped_column(postgresql.JSONB, server_default=sa.text("'{}'"))
    born: Mapped[datetime | None] = mapped_column(sa.DateTime(timezone=True))
    books: Mapped[list["Book"]] = relationship(back_populates="author")


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True)
    titles: Mapped[list[str]] = mapped_column(postgresql.ARRAY(sa.Text))
    price: Mapped[Decimal] = mapped_column(sa.Numeric(10, 2), index=True)
    author_id: Mapped[int] = mapped_column(sa.ForeignKey("author.id", ondelete="CASCADE"))
    author: Mapped[Author] = relationship(back_populates="books")
    __table_args__ = (sa.CheckConstraint("price >= 0", name="not_negative"), {"comment": "größe"})


engine = sa.create_engine("postgresql+psycopg://", pool_size=1, max_overflow=0)
seen = {}


def error(work):
    try:
        work()
    except sa.exc.DBAPIError as raised:
        cause = raised.orig
        return [type(raised).__name__, type(cause).__name__, cause.sqlstate, str(cause).splitlines()[0]]
    return None


Base.metadata.create_all(engine)
Base.metadata.create_all(engine)  # the second time finds all tables
with engine.begin() as connection:
    connection.exec_driver_sql("CREATE TABLE scratch (id int)")

look = sa.inspect(engine)
seen["reflected"] = {
    table: {
        "columns": [[one["name"], str(one["type"]), one["nullable"], one["default"]] for one in look.get_columns(table)],
        "primary key": look.get_pk_constraint(table),
        "foreign keys": look.get_foreign_keys(table),
        "indexes": look.get_indexes(table),
        "unique": look.get_unique_constraints(table),
        "checks": look.get_check_constraints(table),
        "comment": look.get_table_comment(table),
    }
    for table in sorted(look.get_table_names())
}
reflected = sa.MetaData()
reflected.reflect(engine)
seen["metadata"] = sorted(reflected.tables)

with Session(engine) as session:
    ursula = Author(name="Ursula ü", traits={"a": [1, None]}, born=datetime(2000, 1, 2, tzinfo=timezone.utc))
    ursula.books = [Book(titles=[f"t{n}", '"q", {'], price=Decimal(f"{n}.50")) for n in range(1, 51)]
    session.add(ursula)
    session.commit()
    found = session.scalars(sa.select(Author).options(selectinload(Author.books)).order_by(Author.id)).all()
    seen["found"] = [[one.name, one.traits, one.born, len(one.books), one.books[0].titles] for one in found]
    seen["sum"] = session.execute(
        sa.select(sa.func.sum(Book.price), sa.func.count()).join(Author).where(Author.name.like("Urs%"))
    ).one()._asdict()
    changed = session.execute(sa.update(Book).where(Book.id > 10).values(titles=[]).returning(Book.id))
    seen["updated"] = len(changed.all())
    session.rollback()
    seen["rolled back"] = session.scalar(sa.select(sa.func.count()).where(Book.titles == []).select_from(Book))

with engine.connect() as connection:
    with connection.begin():
        nested = connection.begin_nested()
        seen["error"] = error(lambda: connection.execute(sa.insert(Author).values(name="Ursula ü")))
        nested.rollback()
        upsert = postgresql.insert(Author).values(name="Ursula ü", traits={"b": 2})
        upsert = upsert.on_conflict_do_update(index_elements=["name"], set_={"traits": upsert.excluded.traits})
        connection.execute(upsert)
    seen["upserted"] = connection.scalar(sa.select(Author.traits))
    connection.rollback()
    rows = connection.execution_options(stream_results=True, yield_per=7).execute(sa.select(Book.id).order_by(Book.id))
    seen["streamed"] = [row.id for row in rows]
    connection.rollback()

with engine.connect() as connection:
    before = connection.scalar(sa.text("SELECT pg_backend_pid()"))
    refused = [error(lambda: connection.execute(sa.text("DROP TABLE scratch")))]
    connection.rollback()
    refused += [error(lambda: connection.execute(sa.text("UPDATE book SET price = 1")))]
    connection.rollback()
    refused += [error(lambda: connection.execute(sa.text("SELECT :word"), {"word": "zanzibar_denied"}))]
    connection.rollback()
    seen["same session"] = connection.scalar(sa.text("SELECT pg_backend_pid()")) == before
    seen["after"] = connection.scalar(sa.select(sa.func.count()).select_from(Book))

versions = {"SQLAlchemy": sa.__version__, "psycopg": psycopg.__version__}
print(json.dumps({"versions": versions, "seen": seen, "refused": refused}, default=str))
