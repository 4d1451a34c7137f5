// Sends one burst of requests. Started by fork(); receives autocannon's options and sends back the figures.
import { once } from 'node:events';
import autocannon from 'autocannon';

const [options] = await once(process, 'message');
const { requests, latency, non2xx, errors } = await autocannon(options);
const result = {
  perSecond: requests.average,
  requests: requests.total,
  p50: latency.p50,
  p99: latency.p99,
  failed: non2xx + errors,
};
process.send(result, () => process.disconnect());
