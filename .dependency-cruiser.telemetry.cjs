/** Rules about OpenTelemetry. */
module.exports = [
  {
    name: 'telemetry-is-shared-ground',
    comment: 'Where data of OpenTelemetry are sent is the same for all of them, so it knows none.',
    severity: 'error',
    from: { path: '^src/telemetry/', pathNot: '\\.spec\\.ts$' },
    to: { path: '^src/', pathNot: '^src/(telemetry|kernel|config|outbound)/' },
  },
  {
    name: 'opentelemetry-is-loaded-late',
    comment: 'An export that is off costs nothing: no memory for the libraries, and no time to load them.',
    severity: 'error',
    from: { path: '^src/' },
    to: {
      path: '^node_modules/@opentelemetry/',
      dependencyTypesNot: ['type-only', 'dynamic-import'],
    },
  },
];
