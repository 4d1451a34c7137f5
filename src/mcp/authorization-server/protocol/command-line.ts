import type { Client } from './client-metadata';

/**
 * The client of the gateway's own command line (clients/cli), which every gateway knows. It gets tokens for
 * the REST API only; all other clients get tokens for MCP endpoints only. Any program on a computer can
 * pretend to be this client (RFC 8252, section 8.6), so each request asks the person for consent. The browser
 * returns to loopback addresses only, so that no web page and no other computer can get the code.
 */
export const COMMAND_LINE: Client = {
  id: 'gateway-cli',
  name: 'gateway, the command line',
  // IP addresses instead of `localhost` (RFC 8252, section 8.3). Any port is accepted.
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
};

/** The only scope of the command line's tokens. */
export const API_SCOPE = 'api';
