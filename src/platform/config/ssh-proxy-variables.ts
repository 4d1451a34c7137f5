import { z } from 'zod';
import { isHost, wholeNumber } from './values';

/** The environment variables of the port for SSH clients; see `variables.ts`. */
export const sshProxyVariables = {
  SSH_PROXY_PORT: wholeNumber(0, 65_535).default(0).describe('Port for SSH clients, on `HOST`; 0 for none.'),
  SSH_PROXY_HOST: z
    .string()
    .refine(isHost, 'must be a host name or an address, without a port')
    .optional()
    .describe(
      'Host at which SSH clients reach the gateway, as shown with issued credentials and in known_hosts. Default: the host of `API_URL`.',
    ),
  SSH_PROXY_HANDSHAKE_SECONDS: wholeNumber(1, 600)
    .default(60)
    .describe(
      'How long an SSH client may take from its first byte until it is signed in. People type passwords in this time.',
    ),
  SSH_PROXY_CLIENTS: wholeNumber(1, 100_000)
    .default(500)
    .describe('Largest number of SSH clients in this process; as many more may be signing in.'),
  SSH_PROXY_CLIENTS_PER_USER: wholeNumber(1, 100_000)
    .default(20)
    .describe('Largest number of these clients for one user or API key.'),
  SSH_PROXY_CLIENTS_PER_CONNECTION: wholeNumber(1, 100_000)
    .default(50)
    .describe('Largest number of these clients for one connection.'),
  SSH_PROXY_IDLE_MINUTES: wholeNumber(0, 525_600)
    .default(0)
    .describe(
      'SSH clients are disconnected when they run no command, and nothing was sent in either direction for this time; 0 for never.',
    ),
};
