import { createHash, randomBytes } from 'node:crypto';
import { Authenticator } from '../../src/gate/ports/authenticator';
import { AppError } from '../../src/kernel/app-error';
import type { Principal } from '../../src/kernel/principal';
import { Browser, signIn } from './browser-sign-in';
import type { Person, TestGateway } from './gateway';

export const LOOPBACK_URI = 'http://127.0.0.1:3333/callback';

/** An MCP client, as the authorization server sees it. */
export interface McpClient {
  readonly id: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** The API address of a gateway, in this process or in another one. */
type Api = Pick<TestGateway, 'api'>;

/** Creates a connection to an MCP server that never receives requests. */
export async function makeMcpConnection(gateway: TestGateway, name: string, groups = ['*']): Promise<void> {
  const answer = await gateway.call('admin', 'POST', '/connections', {
    name,
    type: 'application',
    subtype: 'mcpproxy',
    secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
    access_groups: groups,
  });
  if (answer.status !== 201) throw new Error(`no connection: ${answer.text}`);
}

export function resourceOf(gateway: Api, connection: string): string {
  return `${gateway.api}/mcp/${connection}`;
}

export interface OAuthAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers of every shape; each expectation is its own type check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Registers a new MCP client at the authorization server, and gives it a fresh PKCE code verifier. */
export async function registerClient(
  gateway: Api,
  metadata: object = { client_name: 'Test Client', redirect_uris: [LOOPBACK_URI] },
): Promise<McpClient> {
  const { status, body } = await postJson(gateway, '/oauth/register', metadata);
  if (status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`);
  return { id: body.client_id, redirectUri: body.redirect_uris[0], verifier: newVerifier() };
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

export async function postJson(gateway: Api, path: string, body: unknown): Promise<OAuthAnswer> {
  const response = await fetch(`${gateway.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export async function postForm(
  gateway: Api,
  path: string,
  form: Record<string, string>,
): Promise<OAuthAnswer> {
  const response = await fetch(`${gateway.api}${path}`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Returns the address of the authorization endpoint. `more` replaces parameters; undefined removes one. */
export function authorizeUrl(
  gateway: Api,
  client: McpClient,
  connection: string,
  more: Record<string, string | undefined> = {},
): URL {
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    state: 'state of the client',
    scope: 'mcp',
    code_challenge: createHash('sha256').update(client.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: resourceOf(gateway, connection),
    ...more,
  };
  const url = new URL(`${gateway.api}/oauth/authorize`);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/**
 * Follows the redirects from the authorization endpoint to the consent page, signed in as `person`. Fails if
 * the browser does not reach that page.
 */
export async function reachConsent(
  browser: Browser,
  url: URL,
  person: Person,
): Promise<{ readonly url: URL; readonly response: Response; readonly html: string }> {
  const consent = await signInFor(browser, url, person);
  const response = await browser.request(consent);
  return { url: consent, response, html: await response.text() };
}

/** Signs in, and returns the address of the consent page without opening it. */
export async function signInFor(
  browser: Browser,
  url: URL,
  person: Person,
  form?: Record<string, string>,
): Promise<URL> {
  const begun = await browser.request(url);
  if (begun.status !== 303) throw new Error(`not begun: ${begun.status} ${await begun.text()}`);
  const callback = await signIn(begun.headers.get('location') ?? '', person, form);
  const completed = await browser.request(callback);
  const location = completed.headers.get('location');
  if (location === null) throw new Error(`not signed in: ${await completed.text()}`);
  return new URL(location);
}

/** Presses a button of the consent page. */
export function press(
  browser: Browser,
  page: { readonly url: URL; readonly html: string },
  decision: string,
  more: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.html)?.[1] ?? '';
  return browser.request(new URL('consent', page.url), {
    method: 'POST',
    headers,
    body: new URLSearchParams({ request: field('request'), proof: field('proof'), decision, ...more }),
  });
}

/** Signs in and consents. Returns the parameters, with the code, of the redirect to the client. */
export async function allow(
  gateway: Api,
  client: McpClient,
  connection: string,
  person: Person = 'alice',
): Promise<URLSearchParams> {
  const browser = new Browser();
  const page = await reachConsent(browser, authorizeUrl(gateway, client, connection), person);
  const back = await press(browser, page, 'allow');
  const location = back.headers.get('location');
  if (location === null) throw new Error(`not allowed: ${page.response.status} ${page.html}`);
  return new URL(location).searchParams;
}

export function redeem(
  gateway: Api,
  client: McpClient,
  code: string | null,
  more: Record<string, string> = {},
): Promise<OAuthAnswer> {
  return postForm(gateway, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client.id,
    code: code ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: client.verifier,
    ...more,
  });
}

export function refresh(
  gateway: Api,
  client: McpClient,
  token: string,
  more: Record<string, string> = {},
): Promise<OAuthAnswer> {
  return postForm(gateway, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: client.id,
    refresh_token: token,
    ...more,
  });
}

export interface McpTokens {
  readonly access: string;
  readonly refresh: string;
}

/** Signs in, consents, and redeems the code for tokens. */
export async function tokensFor(
  gateway: Api,
  client: McpClient,
  connection: string,
  person: Person = 'alice',
): Promise<McpTokens> {
  const { status, body } = await redeem(
    gateway,
    client,
    (await allow(gateway, client, connection, person)).get('code'),
  );
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return { access: body.access_token, refresh: body.refresh_token };
}

/** Returns the subject of the bearer token at the connection's MCP endpoint, or the refusal's error code. */
export async function whoAt(gateway: TestGateway, bearer: string, connection?: string): Promise<string> {
  const resource = connection === undefined ? {} : { resource: resourceOf(gateway, connection) };
  return gateway.app
    .get(Authenticator)
    .identify({ bearer, address: '127.0.0.1', ...resource })
    .then(
      (person: Principal) => person.subject,
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );
}
