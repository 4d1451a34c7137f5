import { z } from 'zod';
import {
  flag,
  groupName,
  hosts,
  httpUrl,
  isHost,
  list,
  origin,
  port,
  secretKeys,
  wholeNumber,
} from './values';

/**
 * Every environment variable of the gateway: type, default and meaning, once. The README's table and
 * `.env.example` are generated from here, and nothing else reads `process.env`.
 */
export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe(
      '`production` refuses the embedded database, the development identity provider and generated keys.',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: port.default(8009).describe('Port of the REST API and the Swagger UI.'),
  WORKERS: wholeNumber(1, 64)
    .default(1)
    .describe(
      'Processes that share the ports, one for each processor core to be used. What is set for one gateway (connections to the database, buffers, limits a minute) holds for each of them.',
    ),
  API_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Address at which callers reach the gateway. Default: `http://HOST:PORT`.'),
  API_PREFIX: z
    .string()
    .regex(/^(\/[\w.-]+)+$/, 'must look like /api')
    .default('/api')
    .describe('Path under which every route hangs.'),
  BODY_LIMIT_MB: wholeNumber(1, 256)
    .default(1)
    .describe(
      'Largest request body of the routes that take scripts and texts; larger ones are refused with 413. All other routes take 1 MiB. A session records its script whole, however large.',
    ),
  REQUEST_SECONDS: wholeNumber(1, 3_600)
    .default(20)
    .describe(
      'How long the headers of a request, and its body, may take to arrive; slower ones are cut with 408. To be raised with `BODY_LIMIT_MB` where callers are far away.',
    ),
  TRUST_PROXY: wholeNumber(0, 10)
    .default(0)
    .describe('How many reverse proxies stand in front and may be believed about the client address.'),
  POSTGRES_PROXY_PORT: wholeNumber(0, 65_535)
    .default(15_432)
    .describe('Port of the PostgreSQL wire protocol, on `HOST`; 0: none.'),
  POSTGRES_PROXY_HOST: z
    .string()
    .refine(isHost, 'must be a host name or an address, without a port')
    .optional()
    .describe(
      'Address at which PostgreSQL clients reach the gateway, as issued credentials tell it. Default: the host of `API_URL`.',
    ),
  POSTGRES_PROXY_HANDSHAKE_SECONDS: wholeNumber(1, 600)
    .default(10)
    .describe('How long a PostgreSQL client may take from its first byte until it is signed in.'),
  POSTGRES_PROXY_CLIENTS: wholeNumber(1, 100_000)
    .default(1_000)
    .describe('PostgreSQL clients of this process at one time; as many again may be signing in.'),
  POSTGRES_PROXY_CLIENTS_PER_USER: wholeNumber(1, 100_000)
    .default(20)
    .describe('Of these, clients of one user or API key.'),
  POSTGRES_PROXY_CLIENTS_PER_CONNECTION: wholeNumber(1, 100_000)
    .default(50)
    .describe(
      'Of these, clients of one connection. With SCRIPTS_PER_CONNECTION, and times the number of processes, it should stay well below what the target accepts (PostgreSQL: max_connections, 100 by default).',
    ),
  POSTGRES_PROXY_IDLE_MINUTES: wholeNumber(0, 525_600)
    .default(0)
    .describe('A PostgreSQL client that is silent for so long is signed out; 0: never.'),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'Certificate of the PostgreSQL wire protocol with its chain, PEM. Absent: no TLS, and tokens as passwords only from this machine.',
    ),
  TLS_KEY: z.string().optional().describe('Private key of `TLS_CERT`, PEM.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
    .optional()
    .describe('PostgreSQL 15 or later. Absent: an embedded PostgreSQL in `DATA_DIR` (not in production).'),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(10).describe('Connections kept to the database.'),
  ALLOW_NEWER_SCHEMA: flag
    .default(false)
    .describe(
      '`true`: starts on a database that a newer version has migrated, as when going back to the version before.',
    ),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database and the generated keys.'),
  IDP_ISSUER: httpUrl
    .optional()
    .describe(
      'OpenID Connect issuer. Absent: an embedded development identity provider (not in production).',
    ),
  IDP_CLIENT_ID: z
    .string()
    .optional()
    .describe('Client id at the identity provider; required with `IDP_ISSUER`.'),
  IDP_CLIENT_SECRET: z
    .string()
    .optional()
    .describe('Client secret; absent for a public client (PKCE is always used).'),
  IDP_AUDIENCE: z
    .string()
    .optional()
    .describe('`aud` that access tokens must carry. Default: the client id.'),
  IDP_SCOPES: z.string().default('openid email profile').describe('Scopes asked for at sign-in.'),
  IDP_GROUPS_CLAIM: z
    .string()
    .default('groups')
    .describe('Claim that carries the groups: a string or an array.'),
  IDP_GROUPS_AUTHORITATIVE: flag.default(false).describe('`true`: a missing groups claim means no groups.'),
  DEV_IDP_PORT: wholeNumber(0, 65_535)
    .default(8010)
    .describe('Port of the embedded development identity provider (loopback only); 0 takes any.'),
  LOGIN_REDIRECTS: list
    .pipe(z.array(z.string().regex(origin, 'must be origins such as https://portal.example.com')))
    .default([])
    .describe(
      'Further origins that `/login?redirect=` may lead to, comma-separated; `*` as port allows any. The origin of `API_URL` and `http://127.0.0.1:*` always may.',
    ),
  LOGINS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .describe('Calls of `/login` and `/callback` allowed a minute from one network address.'),
  FAILED_CREDENTIALS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .describe(
      'Bad credentials a minute from one network address, and for one name or token from there, beyond which they are answered 429. Good ones pass.',
    ),
  ADMIN_GROUP: groupName.default('admin').describe('Group whose members may do everything.'),
  AUDITOR_GROUP: groupName
    .default('auditor')
    .describe('Group whose members read everything and change nothing.'),
  ADMIN_EMAILS: list
    .default([])
    .describe('Verified e-mail addresses of which the first to sign in becomes admin, while there is none.'),
  SECRET_KEY: secretKeys
    .optional()
    .describe(
      'Seals what is stored, and signs evidence: 32 bytes in base64. Several, comma-separated, to change keys: the first seals, all open; then `npm run rotate-keys`. Required in production, otherwise generated into `DATA_DIR`.',
    ),
  RECORDING_MODE: z
    .enum(['journal', 'journal+fsync', 'store'])
    .default('journal')
    .describe(
      'When an event of a session counts as recorded: written to the local journal (survives the death of the process), there to the disk itself (of the machine too), or committed in PostgreSQL. A connection may say otherwise.',
    ),
  JOURNAL_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of the journal; must outlive the process, and be found again at its next start. Default: `journal` in `DATA_DIR`.',
    ),
  RECORDING_BUFFER_MB: wholeNumber(1, 4_096)
    .default(64)
    .describe(
      'How much of the recordings may wait to be stored. Beyond it targets are read no faster than it is. One session, or one large event, is left half of it at most: others are recorded all the same.',
    ),
  RETENTION_EVERY_MINUTES: wholeNumber(1, 10_080)
    .default(60)
    .describe('How often recordings are looked for whose retention has ended, to remove them.'),
  REVIEW_HOURS: wholeNumber(1, 8_760)
    .default(72)
    .describe('How long a request waits for its reviewers before it expires.'),
  APPROVAL_HOURS: wholeNumber(1, 8_760)
    .default(24)
    .describe('How long an approval may be used; after that it expires.'),
  SCRIPT_ANSWER_SECONDS: wholeNumber(1, 600)
    .default(50)
    .describe('How long a caller waits for a script before it is told that it still runs.'),
  SCRIPTS_PER_USER: wholeNumber(1, 100_000)
    .default(10)
    .describe(
      'Scripts of one user or API key that may run at one time in this process; more are answered 429.',
    ),
  SCRIPTS_PER_CONNECTION: wholeNumber(1, 100_000)
    .default(20)
    .describe('Scripts that may run on one connection at one time in this process; more are answered 429.'),
  HEARTBEAT_SECONDS: wholeNumber(1, 60)
    .default(5)
    .describe('How often gateways look for sessions that a dead gateway left open; three looks end them.'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 600)
    .optional()
    .describe(
      'After SIGTERM: for how long requests are still taken while `/readyz` says 503, so that load balancers send nobody any more. Default: 5 in production, otherwise 0.',
    ),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 600)
    .default(15)
    .describe('After that: how long running scripts may still finish before they are cancelled.'),
  MCP_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses of MCP servers that may be reached although they are private, comma-separated.',
    ),
  WEBHOOK_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses that webhooks may be sent to although they are private, comma-separated; and over plain http.',
    ),
  WEBHOOK_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(15)
    .describe('How long an endpoint may take to answer a webhook.'),
  WEBHOOK_RETRY_SECONDS: list
    .pipe(
      z
        .array(wholeNumber(1, 604_800))
        .min(1, 'must name at least one delay')
        .max(20, 'must name at most 20 delays'),
    )
    .default([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    .describe(
      'Seconds after which a webhook that failed is tried again, for the first time, the second, and so on, comma-separated. After the last it is dead, until somebody has it replayed.',
    ),
  WEBHOOK_RETENTION_DAYS: wholeNumber(1, 3_650)
    .default(30)
    .describe('For how many days it can be seen, and replayed, what webhooks were sent.'),
  CONTROL_PLANE: flag
    .default(false)
    .describe('`true`: guardrails show `sidecar_spec` and `sidecar_targets`.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least level of the JSON log on standard output.'),
});

/** Variables that hold a secret, or what comes in files; each may also come from the file named by `<NAME>_FILE`. */
export const secretVariables = [
  'DATABASE_URL',
  'IDP_CLIENT_SECRET',
  'SECRET_KEY',
  'TLS_CERT',
  'TLS_KEY',
] as const;

export type Environment = z.output<typeof variables>;
