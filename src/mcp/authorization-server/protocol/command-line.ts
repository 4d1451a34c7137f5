import type { Client } from './client-metadata';

/**
 * The client of the gateway's own command line (clients/cli), which every gateway knows. It alone gets tokens
 * for the REST API, and no others: clients that register themselves are for MCP endpoints. Any program of a
 * computer can claim to be this one (RFC 8252, section 8.6), so its person is asked each time; the browser
 * returns to loopback addresses only, so that no web page and no other computer can get the code.
 */
export const COMMAND_LINE: Client = {
  id: 'gateway-cli',
  name: 'gateway, the command line',
  // The names of addresses, not `localhost` (RFC 8252, section 8.3). Any port.
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
};

/** The scope of its tokens; there is one. */
export const API_SCOPE = 'api';
