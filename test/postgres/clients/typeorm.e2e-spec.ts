import {
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  JoinColumn,
  ManyToOne,
  type MigrationInterface,
  OneToMany,
  PrimaryGeneratedColumn,
  type QueryRunner,
  type Relation,
} from 'typeorm';
import { describeWirePath } from '../../support/describe';
import { DENIED, DENIED_MESSAGE, type Way } from '../../support/wire-path';

jest.setTimeout(480_000);

@Entity({ schema: 'shop' })
class Author {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text', { unique: true })
  name!: string;

  @Column('jsonb', { default: {} })
  traits!: object;

  @Column('timestamptz', { nullable: true })
  born!: Date | null;

  @OneToMany(() => Book, (book) => book.author)
  books!: Relation<Book>[];
}

@Entity({ schema: 'shop' })
class Book {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text', { array: true })
  titles!: string[];

  @Column('numeric', { precision: 10, scale: 2 })
  price!: string;

  @ManyToOne(() => Author, (author) => author.books, { nullable: false })
  @JoinColumn()
  author!: Relation<Author>;
}

class Stock1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE shop.stock (book int PRIMARY KEY, pieces int CHECK (pieces >= 0))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shop.stock');
  }
}

describeWirePath('TypeORM through the gateway, beside TypeORM without it', ({ path }) => {
  beforeAll(async () => {
    for (const database of [path.target, path.twin]) await database.query('CREATE SCHEMA shop');
  });

  const both = <T>(work: (data: DataSource) => Promise<T>): Promise<T> =>
    path.both(async (way) => {
      const data = await new DataSource(optionsOf(way)).initialize();
      try {
        return await work(data);
      } finally {
        await data.destroy();
      }
    });

  it('creates a schema from entities, finds no difference afterwards, and migrates', async () => {
    const made = await both(async (data) => {
      await data.synchronize();
      const changes = await data.driver.createSchemaBuilder().log();
      const migrations = await data.runMigrations();
      const tables = await data.query(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' ORDER BY 1",
      );
      return { open: changes.upQueries.length, migrations: migrations.map(({ name }) => name), tables };
    });
    expect(made).toEqual({
      open: 0,
      migrations: ['Stock1700000000000'],
      tables: ['author', 'book', 'migrations', 'stock'].map((table_name) => ({ table_name })),
    });
  });

  it('saves, finds, joins, counts and updates', async () => {
    const found = await both(async (data) => {
      const [authors, books] = [data.getRepository(Author), data.getRepository(Book)];
      const ursula = await authors.save({ name: 'Ursula ü', traits: { a: [1, null] }, born: new Date(0) });
      await books.save(
        Array.from({ length: 50 }, (_, n) => ({
          titles: [`t${n}`, '"q", {'],
          price: `${n}.50`,
          author: ursula,
        })),
      );
      await books.update({ price: '3.50' }, { titles: [] });
      const [page, count] = await books.findAndCount({
        relations: { author: true },
        order: { id: 'ASC' },
        skip: 2,
        take: 3,
      });
      const sum = await books
        .createQueryBuilder('b')
        .select('sum(b.price)', 'sum')
        .where('b.id > :id', { id: 10 })
        .getRawOne();
      await authors.upsert({ name: 'Ursula ü', traits: {} }, ['name']);
      return { page, count, sum, author: await authors.findOneByOrFail({ name: 'Ursula ü' }) };
    });
    expect(found).toMatchObject({
      count: 50,
      page: [{ titles: ['t2', '"q", {'], price: '2.50', author: { born: new Date(0) } }, { titles: [] }, {}],
      sum: { sum: '1200.00' },
      author: { traits: {} },
    });
  });

  it('rolls back failed transactions, also nested ones', async () => {
    const kept = await both(async (data) => {
      const failed = await data
        .transaction('SERIALIZABLE', async (manager) => {
          await manager.insert(Author, { name: 'lost' });
          await manager.insert(Author, { name: 'lost' });
        })
        .catch((error: { code: string; driverError: { detail: string } }) => [
          error.code,
          error.driverError.detail,
        ]);
      await data.transaction(async (outer) => {
        await outer.insert(Author, { name: 'outer' });
        await outer
          .transaction(async (inner) => {
            await inner.insert(Author, { name: 'inner' });
            await inner.query('SELECT 1/0');
          })
          .catch(() => undefined);
        await outer.insert(Author, { name: 'last' });
      });
      const names = await data.getRepository(Author).find({ select: { name: true }, order: { id: 'ASC' } });
      return { failed, names: names.map(({ name }) => name) };
    });
    expect(kept).toEqual({
      failed: ['23505', 'Key (name)=(lost) already exists.'],
      names: ['Ursula ü', 'outer', 'last'],
    });
  });

  it('gets a refusal inside a transaction, which then fails as after any error', async () => {
    const data = await new DataSource(optionsOf(path.through)).initialize();
    try {
      const refused = data.transaction(async (manager) => {
        await manager.insert(Author, { name: 'before' });
        await manager.insert(Author, { name: `a ${DENIED} name` });
      });
      await expect(refused).rejects.toMatchObject({ code: '42501', message: DENIED_MESSAGE });
      expect(await data.getRepository(Author).countBy({ name: 'before' })).toBe(0);
    } finally {
      await data.destroy();
    }
  });

  it('undoes its migration', async () => {
    const left = await both(async (data) => {
      await data.undoLastMigration();
      return data.query("SELECT to_regclass('shop.stock') AS stock");
    });
    expect(left).toEqual([{ stock: null }]);
  });
});

function optionsOf({ user, ...way }: Way): DataSourceOptions {
  return {
    type: 'postgres',
    ...way,
    username: user,
    schema: 'shop',
    installExtensions: false,
    entities: [Author, Book],
    migrations: [Stock1700000000000],
  };
}
