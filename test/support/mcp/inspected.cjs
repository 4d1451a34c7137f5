'use strict';
// Loaded with `node --require` into a separate gateway process, so that a test can measure the process and
// move its clock.
const { isMainThread } = require('node:worker_threads');
const { createServer } = require('node:http');
const { monitorEventLoopDelay } = require('node:perf_hooks');

if (isMainThread && process.env.INSPECT_PORT !== undefined) {
  const now = performance.now.bind(performance);
  let ahead = 0;
  Object.defineProperty(performance, 'now', { value: () => now() + ahead, configurable: true });
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  const answers = {
    /** Returns the used heap after garbage collection, in bytes. */
    heap: () => {
      for (let round = 0; round < 4; round += 1) globalThis.gc();
      return process.memoryUsage().heapUsed;
    },
    /** Moves the clock that measures idle MCP sessions forward by `minutes`. */
    later: (minutes) => (ahead += minutes * 60_000),
    /** Returns the longest event loop delay since the last call, in milliseconds. */
    held: () => {
      const longest = Math.round(held.max / 1e6);
      held.reset();
      return longest;
    },
  };
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://inspected');
    response.end(JSON.stringify(answers[pathname.slice(1)](Number(searchParams.get('by')))));
  })
    .listen(Number(process.env.INSPECT_PORT), '127.0.0.1')
    .unref();
}
