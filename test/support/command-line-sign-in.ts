import { Browser, signIn } from './browser-sign-in';
import type { Person, TestGateway } from './gateway';
import { type McpClient, type OAuthAnswer, newVerifier, postForm } from './mcp-sign-in';

type Api = Pick<TestGateway, 'api'>;

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Returns the OAuth client of the command line. The command line chooses the port of its redirect URI. */
export function commandLine(): McpClient {
  return { id: 'gateway-cli', redirectUri: 'http://127.0.0.1:49152/callback', verifier: newVerifier() };
}

export interface BegunDevice {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly page: URL;
}

export async function beginDevice(gateway: Api): Promise<BegunDevice> {
  const { status, body } = await postForm(gateway, '/oauth/device_authorization', {
    client_id: 'gateway-cli',
    resource: gateway.api,
  });
  if (status !== 200) throw new Error(`not begun: ${JSON.stringify(body)}`);
  return {
    deviceCode: body.device_code,
    userCode: body.user_code,
    page: new URL(body.verification_uri),
  };
}

export function pollDevice(gateway: Api, deviceCode: string, client = 'gateway-cli'): Promise<OAuthAnswer> {
  return postForm(gateway, '/oauth/token', {
    grant_type: DEVICE_GRANT,
    client_id: client,
    device_code: deviceCode,
  });
}

/** The page on which a signed-in user enters a device code, in a browser. */
export interface DevicePage {
  readonly browser: Browser;
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

export async function openDevicePage(url: URL, person: Person): Promise<DevicePage> {
  const browser = new Browser();
  const begun = await browser.request(url);
  const callback = await signIn(begun.headers.get('location') ?? '', person);
  await browser.request(callback);
  return shown(browser, url, await browser.request(url));
}

/** Submits the page's form with these fields. Adds the form's `proof` (CSRF token) if `fields` has none. */
export async function submit(
  { browser, url, html }: DevicePage,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<DevicePage> {
  const proof = /name="proof" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ proof, ...fields });
  return shown(browser, url, await browser.request(url, { method: 'POST', headers, body }));
}

async function shown(browser: Browser, url: URL, response: Response): Promise<DevicePage> {
  return { browser, url, status: response.status, html: await response.text() };
}
