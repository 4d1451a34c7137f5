import type { ResolvedEnvironment } from './resolve';

/**
 * The settings by feature, each with its environment variable. Add a line here for each new variable. A test
 * checks that every variable has a line, except variables that are read before the settings exist.
 */
export const groups = {
  process: {
    workers: 'WORKERS',
    shutdownDelaySeconds: 'SHUTDOWN_DELAY_SECONDS',
    shutdownGraceSeconds: 'SHUTDOWN_GRACE_SECONDS',
    logLevel: 'LOG_LEVEL',
  },
  http: {
    host: 'HOST',
    port: 'PORT',
    apiUrl: 'API_URL',
    apiPrefix: 'API_PREFIX',
    bodyLimitMb: 'BODY_LIMIT_MB',
    requestSeconds: 'REQUEST_SECONDS',
    trustProxy: 'TRUST_PROXY',
    corsOrigins: 'CORS_ORIGINS',
  },
  metrics: {
    port: 'METRICS_PORT',
    host: 'METRICS_HOST',
  },
  database: {
    url: 'DATABASE_URL',
    replicaUrl: 'DATABASE_REPLICA_URL',
    poolSize: 'DATABASE_POOL_SIZE',
    allowNewerSchema: 'ALLOW_NEWER_SCHEMA',
  },
  identityProvider: {
    issuer: 'IDP_ISSUER',
    clientId: 'IDP_CLIENT_ID',
    clientSecret: 'IDP_CLIENT_SECRET',
    audience: 'IDP_AUDIENCE',
    scopes: 'IDP_SCOPES',
    groupsClaim: 'IDP_GROUPS_CLAIM',
    groupsAuthoritative: 'IDP_GROUPS_AUTHORITATIVE',
    opaqueTokens: 'IDP_OPAQUE_TOKENS',
    otherClients: 'IDP_OTHER_CLIENTS',
    timeoutSeconds: 'IDP_TIMEOUT_SECONDS',
  },
  signIn: {
    redirects: 'LOGIN_REDIRECTS',
    loginsPerMinute: 'LOGINS_PER_MINUTE',
    failedCredentialsPerMinute: 'FAILED_CREDENTIALS_PER_MINUTE',
  },
  portal: {
    isOn: 'PORTAL',
    idleMinutes: 'PORTAL_IDLE_MINUTES',
  },
  roles: {
    adminGroup: 'ADMIN_GROUP',
    auditorGroup: 'AUDITOR_GROUP',
    adminEmails: 'ADMIN_EMAILS',
  },
  scim: {
    matchClaim: 'SCIM_MATCH_CLAIM',
    roleGroups: 'SCIM_ROLE_GROUPS',
    requestsPerMinute: 'SCIM_REQUESTS_PER_MINUTE',
  },
  sealing: {
    keys: 'SECRET_KEY',
  },
  postgresProxy: {
    host: 'POSTGRES_PROXY_HOST',
    port: 'POSTGRES_PROXY_PORT',
    handshakeSeconds: 'POSTGRES_PROXY_HANDSHAKE_SECONDS',
    clients: 'POSTGRES_PROXY_CLIENTS',
    clientsPerUser: 'POSTGRES_PROXY_CLIENTS_PER_USER',
    clientsPerConnection: 'POSTGRES_PROXY_CLIENTS_PER_CONNECTION',
    idleMinutes: 'POSTGRES_PROXY_IDLE_MINUTES',
    headersFrom: 'PROXY_PROTOCOL_FROM',
  },
  sshProxy: {
    host: 'SSH_PROXY_HOST',
    port: 'SSH_PROXY_PORT',
    handshakeSeconds: 'SSH_PROXY_HANDSHAKE_SECONDS',
    clients: 'SSH_PROXY_CLIENTS',
    clientsPerUser: 'SSH_PROXY_CLIENTS_PER_USER',
    clientsPerConnection: 'SSH_PROXY_CLIENTS_PER_CONNECTION',
    idleMinutes: 'SSH_PROXY_IDLE_MINUTES',
  },
  tls: {
    cert: 'TLS_CERT',
    key: 'TLS_KEY',
    certFile: 'TLS_CERT_FILE',
    keyFile: 'TLS_KEY_FILE',
    ports: 'TLS_PORTS',
    reloadSeconds: 'TLS_RELOAD_SECONDS',
  },
  recorder: {
    mode: 'RECORDING_MODE',
    journalDir: 'JOURNAL_DIR',
    bufferMb: 'RECORDING_BUFFER_MB',
  },
  retention: {
    everyMinutes: 'RETENTION_EVERY_MINUTES',
  },
  archive: {
    url: 'ARCHIVE_URL',
    bucket: 'ARCHIVE_BUCKET',
    region: 'ARCHIVE_REGION',
    prefix: 'ARCHIVE_PREFIX',
    accessKeyId: 'ARCHIVE_ACCESS_KEY_ID',
    secretAccessKey: 'ARCHIVE_SECRET_ACCESS_KEY',
    addressing: 'ARCHIVE_ADDRESSING',
    lock: 'ARCHIVE_LOCK',
    afterMinutes: 'ARCHIVE_AFTER_MINUTES',
    timeoutSeconds: 'ARCHIVE_TIMEOUT_SECONDS',
    allowedHosts: 'ARCHIVE_ALLOWED_HOSTS',
  },
  reviews: {
    reviewHours: 'REVIEW_HOURS',
    approvalHours: 'APPROVAL_HOURS',
    pendingRequests: 'PENDING_REQUESTS',
    emergencyMinutes: 'EMERGENCY_MINUTES',
  },
  scripts: {
    answerSeconds: 'SCRIPT_ANSWER_SECONDS',
    perUser: 'SCRIPTS_PER_USER',
    perConnection: 'SCRIPTS_PER_CONNECTION',
  },
  access: {
    heartbeatSeconds: 'HEARTBEAT_SECONDS',
  },
  mcp: {
    allowedHosts: 'MCP_ALLOWED_HOSTS',
    authorization: 'MCP_AUTHORIZATION',
    allowedOrigins: 'MCP_ALLOWED_ORIGINS',
    ownHosts: 'MCP_OWN_HOSTS',
    messageMb: 'MCP_MESSAGE_MB',
    answerSeconds: 'MCP_ANSWER_SECONDS',
    holdSeconds: 'MCP_HOLD_SECONDS',
    idleMinutes: 'MCP_IDLE_MINUTES',
    clients: 'MCP_CLIENTS',
    clientsPerUser: 'MCP_CLIENTS_PER_USER',
    clientsPerConnection: 'MCP_CLIENTS_PER_CONNECTION',
  },
  webhooks: {
    allowedHosts: 'WEBHOOK_ALLOWED_HOSTS',
    timeoutSeconds: 'WEBHOOK_TIMEOUT_SECONDS',
    retrySeconds: 'WEBHOOK_RETRY_SECONDS',
    retentionDays: 'WEBHOOK_RETENTION_DAYS',
  },
  syslog: {
    receiver: 'SYSLOG_URL',
    ca: 'SYSLOG_CA',
    cert: 'SYSLOG_CERT',
    key: 'SYSLOG_KEY',
  },
  eventExport: {
    allowedHosts: 'EXPORT_ALLOWED_HOSTS',
  },
  telemetry: {
    isDisabled: 'OTEL_SDK_DISABLED',
    serviceName: 'OTEL_SERVICE_NAME',
    resourceAttributes: 'OTEL_RESOURCE_ATTRIBUTES',
    endpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    logsEndpoint: 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
    headers: 'OTEL_EXPORTER_OTLP_HEADERS',
    logsHeaders: 'OTEL_EXPORTER_OTLP_LOGS_HEADERS',
    protocol: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    compression: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    timeoutMs: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    certificateFile: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    logsExporter: 'OTEL_LOGS_EXPORTER',
    tracesEndpoint: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    tracesHeaders: 'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    tracesExporter: 'OTEL_TRACES_EXPORTER',
    tracesSampler: 'OTEL_TRACES_SAMPLER',
    tracesSamplerArg: 'OTEL_TRACES_SAMPLER_ARG',
    spansEveryMs: 'OTEL_BSP_SCHEDULE_DELAY',
    mostSpans: 'OTEL_BSP_MAX_QUEUE_SIZE',
    mostSpansAtOnce: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    hasLog: 'LOG_OTLP',
  },
} as const satisfies Record<string, Record<string, keyof ResolvedEnvironment>>;

type Groups = typeof groups;
type Group<G extends keyof Groups> = {
  [K in keyof Groups[G]]: Groups[G][K] extends keyof ResolvedEnvironment
    ? ResolvedEnvironment[Groups[G][K]]
    : never;
};

/** Returns a class to extend, so that a group is both a type and an injection token. Never instantiated. */
function group<G extends keyof Groups>(): abstract new () => Group<G> {
  return Object as unknown as abstract new () => Group<G>;
}

export abstract class ProcessSettings extends group<'process'>() {}
export abstract class HttpSettings extends group<'http'>() {}
export abstract class MetricsSettings extends group<'metrics'>() {}
export abstract class DatabaseSettings extends group<'database'>() {}
export abstract class IdentityProviderSettings extends group<'identityProvider'>() {}
export abstract class SignInSettings extends group<'signIn'>() {}
export abstract class PortalSettings extends group<'portal'>() {}
export abstract class RoleSettings extends group<'roles'>() {}
export abstract class ScimSettings extends group<'scim'>() {}
export abstract class SealingSettings extends group<'sealing'>() {}
export abstract class PostgresProxySettings extends group<'postgresProxy'>() {}
export abstract class SshProxySettings extends group<'sshProxy'>() {}
export abstract class TlsSettings extends group<'tls'>() {}
export abstract class RecorderSettings extends group<'recorder'>() {}
export abstract class RetentionSettings extends group<'retention'>() {}
export abstract class ArchiveSettings extends group<'archive'>() {}
export abstract class ReviewSettings extends group<'reviews'>() {}
export abstract class ScriptSettings extends group<'scripts'>() {}
export abstract class AccessSettings extends group<'access'>() {}
export abstract class McpSettings extends group<'mcp'>() {}
export abstract class WebhookSettings extends group<'webhooks'>() {}
export abstract class SyslogSettings extends group<'syslog'>() {}
export abstract class EventExportSettings extends group<'eventExport'>() {}
export abstract class TelemetrySettings extends group<'telemetry'>() {}

/** The class that is the injection token of each group. */
export const groupClasses = {
  process: ProcessSettings,
  http: HttpSettings,
  metrics: MetricsSettings,
  database: DatabaseSettings,
  identityProvider: IdentityProviderSettings,
  signIn: SignInSettings,
  portal: PortalSettings,
  roles: RoleSettings,
  scim: ScimSettings,
  sealing: SealingSettings,
  postgresProxy: PostgresProxySettings,
  sshProxy: SshProxySettings,
  tls: TlsSettings,
  recorder: RecorderSettings,
  retention: RetentionSettings,
  archive: ArchiveSettings,
  reviews: ReviewSettings,
  scripts: ScriptSettings,
  access: AccessSettings,
  mcp: McpSettings,
  webhooks: WebhookSettings,
  syslog: SyslogSettings,
  eventExport: EventExportSettings,
  telemetry: TelemetrySettings,
} as const satisfies { [G in keyof Groups]: abstract new () => Group<G> };
