#!/usr/bin/env node
// `npx gateway` in this repository: runs the built program, after a new build if the sources are newer.
await import('../../../scripts/build-if-needed.mjs');
await import('../../../dist/cli/gateway.mjs');
