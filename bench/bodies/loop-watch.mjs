// Loaded into the gateway by `npm run bench -- bodies`: reports the longest turn of its event loop between
// GET /start and GET /stop, in milliseconds. One figure is the processor time of its thread, which other work
// on the machine does not change; the other is the time by the clock.
import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const bytes = Buffer.alloc(128);
// Statistics of the main thread. The first field is its processor time in ns
// (Documentation/scheduler/sched-stats).
const statistics = process.threadCpuUsage === undefined ? openSync('/proc/thread-self/schedstat', 'r') : -1;

function processorMs() {
  if (statistics === -1) {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1e3;
  }
  const length = readSync(statistics, bytes, 0, bytes.length, 0);
  return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

let isWatching = false;
let last = { processor: 0, clock: 0 };
let longest = { processor: 0, clock: 0 };

function watch() {
  const now = { processor: processorMs(), clock: performance.now() };
  longest = {
    processor: Math.max(longest.processor, now.processor - last.processor),
    clock: Math.max(longest.clock, now.clock - last.clock),
  };
  last = now;
  if (isWatching) setImmediate(watch);
}

const server = createServer((request, response) => {
  const isStart = request.url === '/start';
  if (isStart && !isWatching) {
    isWatching = true;
    last = { processor: processorMs(), clock: performance.now() };
    longest = { processor: 0, clock: 0 };
    setImmediate(watch);
  }
  if (!isStart) isWatching = false;
  response.end(JSON.stringify(longest));
});
// Worker threads load this module too. A second listener on the port would end them.
if (isMainThread) server.listen(Number(process.env.BENCH_LOOP_PORT), '127.0.0.1').unref();
