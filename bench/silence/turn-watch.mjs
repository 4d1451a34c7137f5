// Loaded into the gateway by `npm run bench -- silence`: reports the processor time of the longest turn of
// its event loop since the last request. Other load on the machine does not count. Linux only.
import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const room = Buffer.alloc(64);

/** Returns the processor time of this thread in milliseconds, as counted by the scheduler. */
function spent(file) {
  const length = readSync(file, room, 0, room.length, 0);
  return Number(room.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

if (isMainThread && process.platform === 'linux') {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  let before = spent(file);
  let longest = 0;
  const turned = () => {
    const now = spent(file);
    longest = Math.max(longest, now - before);
    before = now;
    // Unreferenced, so that the event loop can wait for other events.
    setImmediate(turned).unref();
  };
  turned();
  createServer((_request, response) => {
    response.end(String(longest));
    longest = 0;
  })
    .listen(Number(process.env.BENCH_TURN_PORT), '127.0.0.1')
    .unref();
}
