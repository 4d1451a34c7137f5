/** They use its SDK, and are loaded with it. */
const WITH_SDK = '^src/telemetry/(tracing|sampler|log-export)\\.ts$';

/** Rules about OpenTelemetry. */
module.exports = [
  {
    name: 'telemetry-is-shared-ground',
    comment:
      'Where data of OpenTelemetry are sent is the same for all of them, so it knows none. It counts what it drops.',
    severity: 'error',
    from: { path: '^src/telemetry/', pathNot: '\\.spec\\.ts$' },
    to: { path: '^src/', pathNot: '^src/(telemetry|kernel|config|outbound|metrics)/' },
  },
  {
    name: 'opentelemetry-is-loaded-late',
    comment: 'An export that is off costs nothing: no memory for the libraries, and no time to load them.',
    severity: 'error',
    from: { path: '^src/', pathNot: WITH_SDK },
    to: {
      path: '^node_modules/@opentelemetry/',
      dependencyTypesNot: ['type-only', 'dynamic-import'],
    },
  },
  {
    name: 'telemetry-with-its-sdk-is-loaded-late',
    comment: 'The same, for the files that need it.',
    severity: 'error',
    from: { path: '^src/', pathNot: `${WITH_SDK}|\\.spec\\.ts$` },
    to: { path: WITH_SDK, dependencyTypesNot: ['type-only', 'dynamic-import'] },
  },
];
