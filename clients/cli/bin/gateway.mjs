#!/usr/bin/env node
// `npx gateway` in this repository: rebuilds the program if the sources are newer, then runs it.
await import('../../../scripts/build-if-needed.mjs');
await import('../../../dist/cli/gateway.mjs');
