import type { MetricTable } from '../definition/definition';

export const gatewayMetrics = {
  gateway_info: {
    kind: 'gauge',
    of: 'gateway',
    help: 'Always 1.',
  },
  gateway_workers: {
    kind: 'gauge',
    of: 'gateway',
    help: 'Processes of this gateway that serve: `answering` are part of this scrape, `silent` did not answer it in time.',
    labels: { state: ['answering', 'silent'] },
  },
  gateway_worker_restarts_total: {
    kind: 'counter',
    of: 'gateway',
    help: 'Workers that ended by themselves and were followed by another.',
  },
} as const satisfies MetricTable;
