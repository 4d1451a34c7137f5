// Bundles the command line into one file that needs no other files: dist/cli/gateway.mjs.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const outfile = join(root, 'dist/cli/gateway.mjs');

await build({
  absWorkingDir: root,
  entryPoints: ['clients/cli/src/main.ts'],
  tsconfig: 'clients/cli/tsconfig.json',
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // Uses the source of our own packages, so that they need not be built first.
  conditions: ['access-gateway-source'],
  banner: {
    js: `#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);`,
  },
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  logLevel: 'error',
});
chmodSync(outfile, 0o755);
