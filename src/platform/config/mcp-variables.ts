import { z } from 'zod';
import { asInAddresses, hosts, isHost, list, origin, wholeNumber } from './values';

/** The environment variables of MCP endpoints; see `variables.ts`. */
export const mcpVariables = {
  MCP_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses of MCP servers, and of metadata documents of MCP clients, that may be reached although they are private, comma-separated.',
    ),
  MCP_AUTHORIZATION: z
    .enum(['gateway', 'idp'])
    .default('gateway')
    .describe(
      'Who issues access tokens to MCP clients: `gateway` itself, after a sign-in at the identity provider, or `idp`, the identity provider, if it knows such clients.',
    ),
  MCP_ALLOWED_ORIGINS: list
    .pipe(z.array(z.string().regex(origin, 'must be origins such as https://inspector.example.com')))
    .default([])
    .describe(
      'Further origins of web pages that may call MCP endpoints, comma-separated; `*` as port allows any port. The origin of `API_URL` is always allowed, and so are clients that are no web pages.',
    ),
  MCP_OWN_HOSTS: list
    .pipe(
      z.array(z.string().refine((name) => isHost(asInAddresses(name)), 'must be host names, without ports')),
    )
    .transform((names) => names.map(asInAddresses))
    .default([])
    .describe(
      'Further host names at which MCP clients, or a reverse proxy that replaces `Host`, reach the gateway, comma-separated, without ports. The host of `API_URL`, `localhost` and all addresses are always allowed; MCP endpoints refuse any other `Host`, because pages of other origins could reach the gateway by DNS rebinding. Clients sign in at `API_URL`, and get tokens for the named host that they use, at the port of `API_URL`, `PORT` or the usual one.',
    ),
  MCP_MESSAGE_MB: wholeNumber(1, 256)
    .default(16)
    .describe('Largest message of an MCP server. Messages of clients may be as large as `BODY_LIMIT_MB`.'),
  MCP_ANSWER_SECONDS: wholeNumber(1, 86_400)
    .default(300)
    .describe('How long an MCP server may be silent during a request before the request fails.'),
  MCP_HOLD_SECONDS: wholeNumber(0, 3_600)
    .default(45)
    .describe(
      'How long the answer to a call that needs an approval is held while people decide. After that, the client is told to repeat the call once it is approved. 0: it is told at once.',
    ),
  MCP_IDLE_MINUTES: wholeNumber(1, 10_080)
    .default(30)
    .describe(
      'The visit of an MCP client ends, and with it its session, when no message came for this time.',
    ),
  MCP_CLIENTS: wholeNumber(1, 1_000_000)
    .default(5_000)
    .describe('Largest number of visits of MCP clients at this gateway, over all its workers.'),
  MCP_CLIENTS_PER_USER: wholeNumber(1, 1_000_000)
    .default(50)
    .describe('Largest number of these visits for one user or API key.'),
  MCP_CLIENTS_PER_CONNECTION: wholeNumber(1, 1_000_000)
    .default(500)
    .describe('Largest number of these visits for one connection.'),
};
