import { PrismaPg } from '@prisma/adapter-pg';
import { defineConfig } from 'prisma/config';

// The engine in JavaScript: that in Rust is no part of the packages.
export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  engine: 'js',
  experimental: { adapter: true },
  adapter: async () => new PrismaPg({ connectionString: process.env.DATABASE_URL }),
});
