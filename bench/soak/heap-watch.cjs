// Loaded into the gateway by `npm run bench -- soak`: reports the live heap after the last full garbage
// collection, in MB. It needs `--require`, because with `--import` Node.js keeps a second copy of the
// program's text.
const { createServer } = require('node:http');
const { PerformanceObserver, constants } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.env.BENCH_HEAP_PORT !== undefined) {
  let live = process.memoryUsage().heapUsed;
  new PerformanceObserver((list) => {
    const whole = list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (whole) live = process.memoryUsage().heapUsed;
  }).observe({ entryTypes: ['gc'] });
  createServer((_request, response) => response.end(String(live / 1e6)))
    .listen(Number(process.env.BENCH_HEAP_PORT), '127.0.0.1')
    .unref();
}
