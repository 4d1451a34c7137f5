import { z } from 'zod';
import { isHost, isNetwork, list, wholeNumber } from './values';

/** The environment variables of the port for PostgreSQL clients; see `variables.ts`. */
export const postgresProxyVariables = {
  POSTGRES_PROXY_PORT: wholeNumber(0, 65_535)
    .default(15_432)
    .describe('Port for PostgreSQL clients, on `HOST`; 0 for none.'),
  POSTGRES_PROXY_HOST: z
    .string()
    .refine(isHost, 'must be a host name or an address, without a port')
    .optional()
    .describe(
      'Host at which PostgreSQL clients reach the gateway, as shown with issued credentials. Default: the host of `API_URL`.',
    ),
  POSTGRES_PROXY_HANDSHAKE_SECONDS: wholeNumber(1, 600)
    .default(10)
    .describe('How long a PostgreSQL client may take from its first byte until it is signed in.'),
  POSTGRES_PROXY_CLIENTS: wholeNumber(1, 100_000)
    .default(1_000)
    .describe('Largest number of PostgreSQL clients in this process; as many more may be signing in.'),
  POSTGRES_PROXY_CLIENTS_PER_USER: wholeNumber(1, 100_000)
    .default(20)
    .describe('Largest number of these clients for one user or API key.'),
  POSTGRES_PROXY_CLIENTS_PER_CONNECTION: wholeNumber(1, 100_000)
    .default(50)
    .describe(
      'Largest number of these clients for one connection. This, plus SCRIPTS_PER_CONNECTION, times the number of processes, should stay well below the limit of the target (PostgreSQL: max_connections, 100 by default).',
    ),
  POSTGRES_PROXY_IDLE_MINUTES: wholeNumber(0, 525_600)
    .default(0)
    .describe('Idle PostgreSQL clients are disconnected after this time; 0 for never.'),
  PROXY_PROTOCOL_FROM: list
    .pipe(z.array(z.string().refine(isNetwork, 'must be addresses or networks such as 10.0.0.0/8')))
    .default([])
    .describe(
      'Addresses and networks of load balancers in front of `POSTGRES_PROXY_PORT` and `SSH_PROXY_PORT`, comma-separated. Their connections must begin with a header of the PROXY protocol, version 2, which names the client; other connections must not. `TRUST_PROXY` is the same for the REST API.',
    ),
};
