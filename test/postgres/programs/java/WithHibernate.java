import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Hibernate with pgJDBC: what it sees of the database that the PG* variables name, as JSON. */
public class WithHibernate {
  @Entity(name = "Author")
  public static class Author {
    @Id @GeneratedValue(strategy = GenerationType.IDENTITY) Long id;
    @Column(unique = true, nullable = false) String name;
    Instant born;
    @OneToMany(mappedBy = "author", cascade = CascadeType.ALL) List<Book> books = new ArrayList<>();
  }

  @Entity(name = "Book")
  public static class Book {
    @Id @GeneratedValue(strategy = GenerationType.SEQUENCE) Long id;
    List<String> titles;
    @Column(precision = 10, scale = 2) BigDecimal price;
    @ManyToOne(optional = false) Author author;
  }

  interface Work {
    void in(Session session);
  }

  static SessionFactory factory(String schema) {
    Map<String, String> env = System.getenv();
    return new Configuration()
        .addAnnotatedClass(Author.class)
        .addAnnotatedClass(Book.class)
        .setProperty("hibernate.connection.url",
            "jdbc:postgresql://" + env.get("PGHOST") + ":" + env.get("PGPORT") + "/" + env.get("PGDATABASE"))
        .setProperty("hibernate.connection.username", env.get("PGUSER"))
        .setProperty("hibernate.connection.password", env.get("PGPASSWORD"))
        .setProperty("hibernate.connection.pool_size", "1")
        .setProperty("hibernate.hbm2ddl.auto", schema)
        .setProperty("hibernate.jdbc.batch_size", "20")
        .buildSessionFactory();
  }

  /** The classes of the error and of its cause, and the code and message of the server. */
  static List<String> error(SessionFactory factory, Work work) {
    try {
      factory.inTransaction(work::in);
      return null;
    } catch (jakarta.persistence.PersistenceException raised) {
      Throwable cause = raised;
      while (cause.getCause() != null && !(cause instanceof SQLException)) cause = cause.getCause();
      String state = cause instanceof SQLException sql ? sql.getSQLState() : "";
      return List.of(raised.getClass().getName(), cause.getClass().getName(), state, cause.getMessage().lines().findFirst().get());
    }
  }

  static Object pid(Session session) {
    return session.createNativeQuery("select pg_backend_pid()", Integer.class).getSingleResult();
  }

  public static void main(String[] args) {
    Map<String, Object> seen = new LinkedHashMap<>();
    // It reads the schema and makes what is missing, and then compares what is there with the entities.
    factory("update").close();
    factory("update").close();
    List<Object> refused = new ArrayList<>();
    Object before;
    Object after;
    try (SessionFactory factory = factory("validate")) {
      factory.inTransaction(session -> session.createNativeMutationQuery("create table scratch (id int)").executeUpdate());
      factory.inTransaction(session -> {
        Author ursula = new Author();
        ursula.name = "Ursula ü";
        ursula.born = Instant.EPOCH;
        for (int n = 1; n <= 50; n++) {
          Book book = new Book();
          book.titles = List.of("t" + n, "\"q\", {");
          book.price = new BigDecimal(n + ".50");
          book.author = ursula;
          ursula.books.add(book);
        }
        session.persist(ursula);
      });
      factory.inTransaction(session -> {
        Author found = session.createSelectionQuery("from Author a join fetch a.books order by a.id", Author.class).getSingleResult();
        seen.put("found", List.of(found.name, found.born, found.books.size()));
        seen.put("page", session.createSelectionQuery("from Book b where b.price > :least order by b.id", Book.class)
            .setParameter("least", new BigDecimal("3")).setFirstResult(2).setMaxResults(3).getResultList()
            .stream().map(one -> one.titles + " " + one.price).toList());
        seen.put("sum", session.createSelectionQuery("select sum(b.price) from Book b group by b.author.id", BigDecimal.class).getSingleResult());
        seen.put("contains", session.createSelectionQuery("select count(*) from Book b where array_contains(b.titles, 't3')", Long.class).getSingleResult());
        seen.put("updated", session.createMutationQuery("update Book b set b.price = 1 where b.price > 10").executeUpdate());
        seen.put("locked", session.find(Author.class, found.id, LockMode.PESSIMISTIC_WRITE).name);
      });
      seen.put("columns", factory.fromSession(session -> session.doReturningWork(connection -> {
        List<String> columns = new ArrayList<>();
        ResultSet rows = connection.getMetaData().getColumns(null, "public", "book", null);
        while (rows.next()) columns.add(rows.getString("COLUMN_NAME") + " " + rows.getString("TYPE_NAME") + " " + rows.getString("IS_NULLABLE"));
        return columns;
      })));
      seen.put("error", error(factory, session -> {
        for (int n = 0; n < 2; n++) {
          Author lost = new Author();
          lost.name = "lost";
          session.persist(lost);
        }
      }));
      seen.put("kept", factory.fromTransaction(session -> session.createSelectionQuery("select a.name from Author a", String.class).getResultList()));
      before = factory.fromTransaction(WithHibernate::pid);
      refused.add(error(factory, session -> session.createNativeMutationQuery("drop table scratch").executeUpdate()));
      refused.add(error(factory, session -> session.createMutationQuery("update Book set price = 1").executeUpdate()));
      refused.add(error(factory, session -> session.createSelectionQuery("from Author where name = :name", Author.class)
          .setParameter("name", "zanzibar_denied").getResultList()));
      after = factory.fromTransaction(WithHibernate::pid);
      seen.put("after", factory.fromTransaction(session -> session.createSelectionQuery("select count(*) from Book", Long.class).getSingleResult()));
    }
    seen.put("same session", before.equals(after));
    Map<String, Object> versions = new LinkedHashMap<>();
    versions.put("Hibernate", org.hibernate.Version.getVersionString());
    versions.put("pgJDBC", org.postgresql.util.DriverInfo.DRIVER_VERSION);
    versions.put("Java", System.getProperty("java.version"));
    Map<String, Object> outcome = new LinkedHashMap<>();
    outcome.put("versions", versions);
    outcome.put("seen", seen);
    outcome.put("refused", refused);
    System.out.println(json(outcome));
  }

  static String json(Object value) {
    if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) return String.valueOf(value);
    if (value instanceof Map<?, ?> map)
      return map.entrySet().stream().map(one -> json(one.getKey()) + ":" + json(one.getValue())).collect(Collectors.joining(",", "{", "}"));
    if (value instanceof List<?> list) return list.stream().map(WithHibernate::json).collect(Collectors.joining(",", "[", "]"));
    return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t") + "\"";
  }
}
