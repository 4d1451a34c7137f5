import { z } from 'zod';
import { list, wholeNumber } from './values';

/** The ports that may speak TLS, each with the setting for its number. */
const TLS_PORTS = { rest: 'PORT', postgres: 'POSTGRES_PROXY_PORT', metrics: 'METRICS_PORT' } as const;
type TlsPort = keyof typeof TLS_PORTS;
const NAMES = Object.keys(TLS_PORTS) as TlsPort[];
const LISTED = `${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}`;
const EXPLAINED = NAMES.map((name) => `\`${name}\` (\`${TLS_PORTS[name]}\`)`).join(', ');

/** The environment variables of TLS; see `variables.ts`. */
export const tlsVariables = {
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'TLS certificate of the gateway, with its chain, PEM, for the ports of `TLS_PORTS`. Absent: no TLS; PostgreSQL clients may then send tokens as passwords from this machine only.',
    ),
  TLS_KEY: z.string().optional().describe('Private key of `TLS_CERT`, PEM, without a passphrase.'),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'File with `TLS_CERT`. It is read again while the gateway runs: new connections get a replaced certificate, without a restart.',
    ),
  TLS_KEY_FILE: z
    .string()
    .optional()
    .describe('File with `TLS_KEY`, read again together with `TLS_CERT_FILE`.'),
  TLS_PORTS: list
    .pipe(z.array(z.enum(NAMES, `must list some of ${LISTED}`)).min(1, 'must list at least one port'))
    .default(NAMES)
    .describe(
      `Ports that speak TLS when there is a certificate, comma-separated: ${EXPLAINED}. Leave \`rest\` out where a reverse proxy ends TLS and speaks plain HTTP to the gateway.`,
    ),
  TLS_RELOAD_SECONDS: wholeNumber(1, 86_400)
    .default(10)
    .describe('Interval at which `TLS_CERT_FILE` and `TLS_KEY_FILE` are read again.'),
};
