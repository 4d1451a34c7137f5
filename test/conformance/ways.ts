import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpPath } from '../support/mcp/mcp-path';
import { Browser } from '../support/browser-sign-in';
import type { Person } from '../support/gateway';
import { openAddress, pressButton } from '../support/mcp/connecting';
import { type GatewayWay, type Wanted, issuerOf } from './scenario-client';
import { CLIENT_DOCUMENT } from './sign-in';

/**
 * Creates a gateway connection for each client that a scenario starts, and plays the browser of the person
 * who uses the client.
 */
export interface Ways {
  /** Endpoint for the client of a scenario. Its path selects the account at the server. */
  readonly url: (subject: Subject) => string;
  close(): Promise<void>;
}

/** Value of the setting `MCP_OAUTH_SUBJECT`. */
export type Subject = 'user' | 'shared';
/**
 * Person who connects the account at the server: a user for a personal account, an admin for the shared one.
 */
const PERSONS: Readonly<Record<Subject, Person>> = { user: 'alice', shared: 'admin' };

export async function startWays(path: McpPath): Promise<Ways> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const subject = request.url === '/shared' ? 'shared' : 'user';
      const wanted = JSON.parse(Buffer.concat(chunks).toString()) as Wanted;
      if (wanted.kind === 'way') return JSON.stringify(await made(path, wanted, subject));
      await browse(wanted.address, PERSONS[subject]);
      return '';
    })().then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: (subject) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${subject}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type WayWanted = Wanted & { readonly kind: 'way' };

async function made(path: McpPath, wanted: WayWanted, subject: Subject): Promise<GatewayWay> {
  const policy = { server_requests: ['sampling', 'elicitation', 'roots'] };
  const secret = await credentials(wanted, subject);
  const name = await path.connection(wanted.url, { mcp_policy: policy, secret });
  return { endpoint: path.endpoint(name), token: await path.gateway.token(PERSONS[subject]) };
}

/**
 * Returns the OAuth credentials that an admin stores in the connection, from the suite's context for the
 * scenario.
 */
async function credentials(
  { url, scenario, context }: WayWanted,
  subject: Subject,
): Promise<Record<string, string>> {
  if (!scenario.startsWith('auth/')) return {};
  const signsInItself = scenario.startsWith('auth/client-credentials');
  const secret = { MCP_AUTH: 'oauth', MCP_OAUTH_SUBJECT: signsInItself ? 'shared' : subject };
  const { client_id: id, client_secret: clientSecret } = context;
  if (id !== undefined && clientSecret !== undefined)
    return {
      ...secret,
      MCP_OAUTH_GRANT: signsInItself ? 'client_credentials' : 'authorization_code',
      MCP_ISSUER: await issuerOf(url),
      MCP_CLIENT_ID: id,
      MCP_CLIENT_SECRET: clientSecret,
    };
  // The scenario accepts only its own metadata document, not the gateway's.
  // test/upstream-credentials tests the gateway's document.
  return scenario === 'auth/basic-cimd'
    ? { ...secret, MCP_ISSUER: await issuerOf(url), MCP_CLIENT_ID: CLIENT_DOCUMENT }
    : secret;
}

/**
 * Opens an address of the gateway as the person, and follows it to the end of the sign-in. The authorization
 * servers of the suite show no page. @throws an error with the page's text if a step fails
 */
async function browse(address: string, person: Person): Promise<void> {
  const browser = new Browser();
  const page = await openAddress(browser, address, person);
  const sent = await pressButton(browser, page);
  const location = sent.headers.get('location');
  if (location === null) throw new Error(`not sent to the server: ${page.html}`);
  const signedIn = await fetch(location, { redirect: 'manual' });
  const back = signedIn.headers.get('location');
  if (back === null) throw new Error(`not sent back: ${signedIn.status}`);
  const done = await browser.request(new URL(back));
  if (done.status !== 200) throw new Error(`not connected: ${done.status} ${await done.text()}`);
}
