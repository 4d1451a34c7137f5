// Loaded into the gateway by `npm run bench -- bodies`: tells how long its event loop was held since it was last asked.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
createServer((_request, response) => {
  response.end(String(delay.max / 1e6));
  delay.reset();
})
  .listen(Number(process.env.BENCH_LOOP_PORT), '127.0.0.1')
  .unref();
