import { z } from 'zod';
import { exportVariables } from './export-variables';
import { archiveVariables } from './archive-variables';
import { identityProviderVariables } from './identity-provider-variables';
import { mcpVariables } from './mcp-variables';
import { postgresProxyVariables } from './postgres-proxy-variables';
import { scimVariables } from './scim-variables';
import { signInVariables } from './sign-in-variables';
import { sshProxyVariables } from './ssh-proxy-variables';
import { telemetryVariables } from './telemetry-variables';
import { tlsVariables } from './tls-variables';
import {
  flag,
  groupName,
  hosts,
  httpUrl,
  isExactOrigin,
  list,
  port,
  secretKeys,
  wholeNumber,
} from './values';

/**
 * Every environment variable of the gateway, with its type, default and meaning. docs/configuration.md and
 * `.env.example` are generated from this list. Modules get the values through `Settings`.
 */
export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe(
      '`production` refuses to use the embedded database, the development identity provider and generated keys.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: port.default(8009).describe('Port of the REST API and the Swagger UI.'),
  WORKERS: wholeNumber(1, 64)
    .default(1)
    .describe(
      'Number of processes that share the ports, for example one for each processor core. Settings per gateway (database connections, buffers, limits per minute) apply to each process, but limits of MCP clients and calls to all together.',
    ),
  API_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'URL at which callers reach the gateway. Default: `http://HOST:PORT`, or `https://HOST:PORT` with TLS.',
    ),
  API_PREFIX: z
    .string()
    .regex(/^(\/[\w.-]+)+$/, 'must look like /api')
    .default('/api')
    .describe('Path prefix of all routes.'),
  BODY_LIMIT_MB: wholeNumber(1, 256)
    .default(1)
    .describe(
      'Largest request body of routes that take scripts and texts; larger ones are refused with 413. All other routes accept 1 MiB. A script is taken, recorded and shown as one text, 5 to 7 ms for each MiB: with more than 4 MiB, other requests may wait for longer than 50 ms. Large statements are better sent over the wire protocol, which takes 64 MiB.',
    ),
  REQUEST_SECONDS: wholeNumber(1, 3_600)
    .default(20)
    .describe(
      'How long the headers and the body of a request may take to arrive; slower requests are refused with 408. Raise it together with `BODY_LIMIT_MB` for slow networks.',
    ),
  TRUST_PROXY: wholeNumber(0, 10)
    .default(0)
    .describe('Number of reverse proxies in front of the gateway whose `X-Forwarded-For` is trusted.'),
  CORS_ORIGINS: list
    .pipe(
      z.array(
        z
          .string()
          .refine(
            isExactOrigin,
            'must be exact origins such as https://console.example.com, without * and paths',
          ),
      ),
    )
    .default([])
    .describe(
      'Origins of web pages that may call the API with a bearer token, comma-separated and exact. The cookie of the portal is no credential for them. MCP endpoints have `MCP_ALLOWED_ORIGINS` instead.',
    ),
  METRICS_PORT: wholeNumber(0, 65_535)
    .default(0)
    .describe(
      'Port of the metrics for Prometheus (`GET /metrics`), on `METRICS_HOST`; 0 for none. One answer has the metrics of all `WORKERS`.',
    ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address for metrics. They name no user and no connection, but anybody who reaches the port can read them.',
    ),
  ...postgresProxyVariables,
  ...sshProxyVariables,
  ...tlsVariables,
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
    .optional()
    .describe('PostgreSQL 15 or later. Absent: an embedded PostgreSQL in `DATA_DIR` (not in production).'),
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
    .optional()
    .describe(
      'A hot standby of that database, for the lists of sessions, reviews and the audit log, and for searches. An answer is never older than the request: while the standby lags or is away, the database itself answers. Absent: it always does.',
    ),
  DATABASE_POOL_SIZE: wholeNumber(2, 500)
    .default(10)
    .describe('Size of the connection pool to the database.'),
  ALLOW_NEWER_SCHEMA: flag
    .default(false)
    .describe(
      '`true`: starts even if a newer version has migrated the database, for example after a downgrade.',
    ),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and the generated keys.'),
  ...identityProviderVariables,
  ADMIN_GROUP: groupName.default('admin').describe('Group whose members may do everything.'),
  AUDITOR_GROUP: groupName
    .default('auditor')
    .describe(
      'Group whose members may read and change nothing; not the audit log, and not what holds secrets: those are for `ADMIN_GROUP`.',
    ),
  ADMIN_EMAILS: list
    .default([])
    .describe(
      'While there is no admin, the first person who signs in with one of these verified e-mail addresses becomes admin.',
    ),
  SECRET_KEY: secretKeys
    .optional()
    .describe(
      'Keys that seal stored secrets and sign evidence: 32 bytes in base64. To change keys, list several, comma-separated: the first one seals, all of them open; then run `npm run rotate-keys`. Required in production, otherwise generated into `DATA_DIR`.',
    ),
  ...signInVariables,
  ...scimVariables,
  RECORDING_MODE: z
    .enum(['journal', 'journal+fsync', 'store'])
    .default('journal')
    .describe(
      'When an event of a session counts as recorded: `journal` when it is written to the local journal (survives the death of the process), `journal+fsync` when it is on the disk (survives that of the machine), `store` when it is committed in PostgreSQL. A connection may override it.',
    ),
  JOURNAL_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of the journal. It must outlive the process and be the same at the next start. Default: `journal` in `DATA_DIR`.',
    ),
  RECORDING_BUFFER_MB: wholeNumber(1, 4_096)
    .default(64)
    .describe(
      'Memory for events that wait to be stored. At the limit, targets are read only as fast as events are stored. One session, or one large event, may use at most half of it, so that the events of others are still recorded.',
    ),
  RETENTION_EVERY_MINUTES: wholeNumber(1, 10_080)
    .default(60)
    .describe('Interval at which recordings whose retention has ended are removed.'),
  ...archiveVariables,
  REVIEW_HOURS: wholeNumber(1, 8_760)
    .default(72)
    .describe('A review expires when nobody decides within this time.'),
  APPROVAL_HOURS: wholeNumber(1, 8_760)
    .default(24)
    .describe('An approval expires when it is not used within this time.'),
  PENDING_REQUESTS: wholeNumber(1, 10_000)
    .default(100)
    .describe(
      'How many requests of one person for one connection may wait for a decision. One more is refused with 429.',
    ),
  EMERGENCY_MINUTES: wholeNumber(1, 1_440)
    .default(60)
    .describe('For how long a request may be used whose requester opened it in an emergency.'),
  SCRIPT_ANSWER_SECONDS: wholeNumber(1, 600)
    .default(50)
    .describe(
      'How long `POST /sessions` waits for a script before it answers that the script is still running.',
    ),
  SCRIPTS_PER_USER: wholeNumber(1, 100_000)
    .default(10)
    .describe('Scripts of one user or API key that may run at once in this process; more get 429.'),
  SCRIPTS_PER_CONNECTION: wholeNumber(1, 100_000)
    .default(20)
    .describe('Scripts that may run at once on one connection in this process; more get 429.'),
  HEARTBEAT_SECONDS: wholeNumber(1, 60)
    .default(5)
    .describe(
      'Interval at which gateways look for sessions of dead gateways. A session is ended when it was found three times.',
    ),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 600)
    .optional()
    .describe(
      'After SIGTERM, how long requests are still accepted while `/readyz` answers 503, so that load balancers stop sending requests. Default: 5 in production, otherwise 0.',
    ),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 600)
    .default(15)
    .describe('After that, how long running scripts may take to finish before they are cancelled.'),
  ...mcpVariables,
  WEBHOOK_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses to which webhooks may be sent although they are private, comma-separated; plain http is allowed for these.',
    ),
  WEBHOOK_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(15)
    .describe('Time-out for an endpoint’s answer to a webhook.'),
  WEBHOOK_RETRY_SECONDS: list
    .pipe(
      z
        .array(wholeNumber(1, 604_800))
        .min(1, 'must contain at least one delay')
        .max(20, 'must contain at most 20 delays'),
    )
    .default([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    .describe(
      'Delays in seconds before each further attempt to send a webhook, comma-separated. After the last attempt the delivery is dead until it is replayed.',
    ),
  WEBHOOK_RETENTION_DAYS: wholeNumber(1, 3_650)
    .default(30)
    .describe('Days for which webhook deliveries are kept and can be replayed.'),
  ...exportVariables,
  ...telemetryVariables,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest level of the JSON log on standard output.'),
});

export type Environment = z.output<typeof variables>;
