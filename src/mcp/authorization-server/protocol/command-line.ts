import type { Client } from './client-metadata';

/**
 * The client of the gateway's own command line (clients/cli), which every gateway knows. It is the only
 * client that gets tokens for the REST API, and it gets no others: all other clients are for MCP endpoints.
 * Any program on a computer can pretend to be this client (RFC 8252, section 8.6), so the person is asked
 * each time. The browser returns to loopback addresses only, so that no web page and no other computer can
 * get the code.
 */
export const COMMAND_LINE: Client = {
  id: 'gateway-cli',
  name: 'gateway, the command line',
  // IP addresses instead of `localhost` (RFC 8252, section 8.3). Any port is accepted.
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
};

/** The only scope of the command line's tokens. */
export const API_SCOPE = 'api';
