// Runs Prisma on the database of the PG* variables and prints what Prisma receives, as JSON. Arguments: the
// folder of the npm packages, and the folder for the files of this run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [packages, folder] = process.argv.slice(2);
const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const url = `postgresql://${encodeURIComponent(PGUSER)}:${encodeURIComponent(PGPASSWORD)}@${PGHOST}:${PGPORT}/${encodeURIComponent(PGDATABASE)}`;
const require = createRequire(join(packages, 'package.json'));
const seen = {};

for (const file of ['schema.prisma', 'prisma.config.mjs'])
  cpSync(join(import.meta.dirname, file), join(folder, file));
symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'));

/** Runs Prisma's command line. Returns the lines of its output or its error, without advice and durations. */
function prisma(...args) {
  const env = {
    ...process.env,
    DATABASE_URL: url,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    NO_COLOR: '1',
  };
  const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' };
  const lines = (text) => text.split('\n').filter((line) => !/ in \d+m?s|Tip:|pris\.ly/.test(line));
  try {
    return lines(
      execFileSync(
        process.execPath,
        [join(packages, 'node_modules/prisma/build/index.js'), ...args],
        options,
      ),
    );
  } catch (error) {
    return ['failed', ...lines(error.stdout + error.stderr)];
  }
}

function migration(name, script) {
  const place = join(folder, 'migrations', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'migration.sql'), script);
}

const from = ['--from-empty', '--to-schema-datamodel', 'schema.prisma', '--script'];
migration('20260101000000_first', prisma('migrate', 'diff', ...from).join('\n'));
writeFileSync(join(folder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n');
seen.deployed = prisma('migrate', 'deploy');
if (seen.deployed[0] === 'failed') throw new Error(seen.deployed.join('\n'));
migration('20260102000000_second', "CREATE TABLE scratch (id int);\nCOMMENT ON TABLE book IS 'größe';");
seen.waiting = prisma('migrate', 'status');
seen['deployed again'] = prisma('migrate', 'deploy');
seen.status = prisma('migrate', 'status');
prisma('generate');

const { PrismaClient } = require('@prisma/client');
const { PrismaPg } = require('@prisma/adapter-pg');
const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: 1 }) });

/** Returns the class and the code of the error, and the server's message. */
async function errorOf(work) {
  try {
    await work();
    return null;
  } catch (error) {
    const { code, meta = {} } = error;
    return [
      error.constructor.name,
      code,
      JSON.stringify(meta, (key, value) => (key === 'cause' ? undefined : value)),
      error.message.split('\n').at(-1),
    ];
  }
}

const books = Array.from({ length: 50 }, (_, n) => ({
  titles: [`t${n + 1}`, '"q", {'],
  price: `${n + 1}.50`,
}));
await client.author.create({
  data: {
    name: 'Ursula ü',
    traits: { a: [1, null] },
    born: new Date(0),
    books: { createMany: { data: books } },
  },
});
seen.found = await client.author.findMany({
  include: { books: { where: { price: { lt: 4 } }, orderBy: { id: 'asc' } } },
});
seen.grouped = await client.book.groupBy({ by: ['kind'], _sum: { price: true }, _count: true });
seen.updated = await client.book.updateMany({
  where: { price: { gt: 10 } },
  data: { titles: [], kind: 'POEM' },
});
seen.upserted = await client.author.upsert({
  where: { name: 'Ursula ü' },
  create: { name: 'Ursula ü' },
  update: { traits: { b: 2 } },
});
seen.page = await client.book.findMany({
  skip: 2,
  take: 3,
  orderBy: { id: 'asc' },
  include: { author: true },
});
seen['by JSON'] = await client.author.count({ where: { traits: { path: ['b'], equals: 2 } } });
seen.error = await errorOf(() => client.author.create({ data: { name: 'Ursula ü' } }));
seen.raw = await client.$queryRaw`SELECT id, price, titles FROM book WHERE id = ANY(${[1, 11]}) ORDER BY id`;
seen['rolled back'] = await errorOf(() =>
  client.$transaction(
    async (inner) => {
      await inner.author.create({ data: { name: 'lost' } });
      await inner.author.create({ data: { name: 'lost' } });
    },
    { isolationLevel: 'Serializable', maxWait: 60_000, timeout: 60_000 },
  ),
);
seen.kept = (await client.author.findMany({ select: { name: true } })).map(({ name }) => name);

// Prisma opens another connection after each error, also without the gateway.
const refused = [
  await errorOf(() => client.book.updateMany({ data: { note: 'x' } })),
  await errorOf(() => client.$queryRaw`SELECT ${'zanzibar_denied'}::text AS word`),
  await errorOf(() => client.author.findFirst({ where: { name: 'zanzibar_denied' } })),
];
seen.after = await client.book.count();
await client.$disconnect();
migration('20260103000000_third', 'DROP TABLE scratch;');
const dropped = prisma('migrate', 'deploy');
refused.push(dropped[0] === 'failed' ? dropped : null);

const versionOf = (name) =>
  JSON.parse(readFileSync(join(packages, 'node_modules', name, 'package.json'), 'utf8')).version;
const versions = {
  Prisma: versionOf('prisma'),
  '@prisma/adapter-pg': versionOf('@prisma/adapter-pg'),
  'Node.js': process.version,
};
console.log(JSON.stringify({ versions, seen, refused }));
