/** Variables with secrets or file contents. Each may also be read from the file named by `<NAME>_FILE`. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'IDP_CLIENT_SECRET',
  'SECRET_KEY',
  'ARCHIVE_ACCESS_KEY_ID',
  'ARCHIVE_SECRET_ACCESS_KEY',
  'TLS_CERT',
  'TLS_KEY',
  'SYSLOG_CA',
  'SYSLOG_CERT',
  'SYSLOG_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_LOGS_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const;
