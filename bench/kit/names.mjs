import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = new Set(['run', 'shortest', 'bare-express', 'gateway', 'otlp-sink']);

/** Names of all benches. */
export const NAMES = readdirSync(join(import.meta.dirname, '..'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -'.mjs'.length))
  .filter((name) => !PARTS.has(name));
