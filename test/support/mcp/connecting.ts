import { Browser, signIn } from '../browser-sign-in';
import type { Person, TestGateway } from '../gateway';
import { type AccountServer } from './account-server';
import { type McpTestServer, startMcpServer } from './start-mcp-server';

const WELL_KNOWN = '/.well-known/oauth-protected-resource/mcp';

/**
 * Starts an MCP server that accepts only tokens that the authorization server issued for it.
 * @param named the authorization server in the server's metadata, or a function that returns the current one
 */
export async function startGuardedServer(
  kind: 'modern' | 'legacy',
  named: AccountServer | (() => AccountServer),
  lacking: () => string | undefined = () => undefined,
): Promise<McpTestServer> {
  const accounts = typeof named === 'function' ? named : () => named;
  const server: McpTestServer = await startMcpServer(kind, {
    lacking,
    accepts: async (authorization) => (await accounts().subjectOf(authorization, server.url)) !== undefined,
    metadata: new Map([
      [
        WELL_KNOWN,
        () => ({
          resource: server.url,
          authorization_servers: [accounts().issuer],
          scopes_supported: ['notes:read'],
        }),
      ],
    ]),
  });
  return server;
}

export interface Page {
  readonly url: URL;
  readonly response: Response;
  readonly html: string;
}

/** Signs in as `person`. Returns the next page, which asks for consent to connect, or shows the refusal. */
export async function openAddress(browser: Browser, address: string, person: Person): Promise<Page> {
  const begun = await browser.request(new URL(address));
  if (begun.status !== 303) throw new Error(`not begun: ${begun.status} ${await begun.text()}`);
  const callback = await signIn(begun.headers.get('location') ?? '', person);
  const completed = await browser.request(callback);
  const url = new URL(completed.headers.get('location') ?? '');
  const response = await browser.request(url);
  return { url, response, html: await response.text() };
}

/** Presses a button of the page. */
export function pressButton(
  browser: Browser,
  page: Page,
  decision = 'connect',
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.html)?.[1] ?? '';
  return browser.request(page.url, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ visit: field('visit'), proof: field('proof'), decision, ...more }),
  });
}

/** Follows the authorization server's redirects. Returns the first address that is not at that server. */
export async function throughAccountServer(address: string, accounts: AccountServer): Promise<URL> {
  const browser = new Browser();
  let url = new URL(address);
  for (let step = 0; step < 10; step++) {
    if (url.origin !== accounts.issuer) return url;
    const response = await browser.request(url);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`no way back: ${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
  throw new Error('the authorization server did not send the browser back within ten steps');
}

/** Signs in as `person` and connects. Returns the gateway's address to which the browser is redirected. */
export async function wayBack(
  browser: Browser,
  address: string,
  person: Person,
  accounts: AccountServer,
): Promise<URL> {
  const page = await openAddress(browser, address, person);
  const sent = await pressButton(browser, page);
  const location = sent.headers.get('location');
  if (location === null) throw new Error(`not sent: ${page.html}\n${sent.status} ${await sent.text()}`);
  return throughAccountServer(location, accounts);
}

/** Connects the person to the account named `account`. */
export async function connectAccount(
  address: string,
  person: Person,
  accounts: AccountServer,
  account: string = person,
): Promise<Response> {
  accounts.account = account;
  const browser = new Browser();
  const done = await browser.request(await wayBack(browser, address, person, accounts));
  if (done.status !== 200) throw new Error(`not connected: ${done.status} ${await done.text()}`);
  return done;
}

/** Requests from the API the address at which the person can connect an account. */
export async function addressFor(gateway: TestGateway, connection: string, person: Person): Promise<string> {
  const answer = await gateway.call(person, 'POST', `/connections/${connection}/mcp-connect`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.url;
}

/** Returns the token of the last tool call. Later requests of the gateway are ignored. */
export function bearerOfLastCall({ heard }: Pick<McpTestServer, 'heard'>): string | undefined {
  return heard
    .findLast(({ body }) => body?.method === 'tools/call')
    ?.headers.authorization?.replace('Bearer ', '');
}
