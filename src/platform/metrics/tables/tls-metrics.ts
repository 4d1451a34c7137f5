import type { MetricTable } from '../definition/definition';

export const tlsMetrics = {
  gateway_tls_certificate_end_timestamp_seconds: {
    kind: 'gauge',
    of: 'worker',
    help: 'When the TLS certificate that is served ends to be valid. Not there without one.',
  },
  gateway_tls_certificate_stale: {
    kind: 'gauge',
    of: 'worker',
    help: '1 while the files of the certificate cannot be used, and the pair of before is served. The log says why.',
  },
  gateway_tls_reloads_total: {
    kind: 'counter',
    of: 'worker',
    help: 'Changes of these files: `replaced` are served to new connections, `refused` could not be used.',
    labels: { result: ['replaced', 'refused'] },
  },
} as const satisfies MetricTable;
