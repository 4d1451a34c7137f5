import { PrismaPg } from '@prisma/adapter-pg';
import { defineConfig } from 'prisma/config';

// Uses Prisma's engine in JavaScript, because the npm packages do not contain the engine in Rust.
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  engine: 'js',
  experimental: { adapter: true },
  adapter: async () => new PrismaPg({ connectionString: process.env.DATABASE_URL }),
});
