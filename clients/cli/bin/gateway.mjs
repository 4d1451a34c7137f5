#!/usr/bin/env node
// `npx gateway` in this repository: the program as it is built, built anew if it is older than its sources.
await import('../../../scripts/build-if-needed.mjs');
await import('../../../dist/cli/gateway.mjs');
