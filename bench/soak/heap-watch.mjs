// Loaded into the gateway by `npm run bench -- soak`: tells how much of the heap was live when its garbage was last collected whole, in MB.
import { createServer } from 'node:http';
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

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
