import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Browser } from '../browser-sign-in';
import { type Person } from '../gateway';
import { LOOPBACK_URI, press, reachConsent } from '../mcp-sign-in';

/**
 * An MCP client like that of an IDE: it was configured with only an address, and signed in through the
 * browser.
 */
export interface Ide {
  readonly client: Client;
  /** HTML of the consent page. */
  readonly consent: string;
  readonly token: string;
}

/** Connects, signs in and consents in a browser as `person`, and connects again with the token. */
export async function connectIde(endpoint: string, person: Person): Promise<Ide> {
  let sentTo: URL | undefined;
  let verifier = '';
  let registered: ReturnType<OAuthClientProvider['clientInformation']>;
  let tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl: LOOPBACK_URI,
    clientMetadata: { client_name: 'Test IDE', redirect_uris: [LOOPBACK_URI] },
    clientInformation: () => registered,
    saveClientInformation: (given) => void (registered = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => void (discovered = given),
    discoveryState: () => discovered,
  };
  const connect = async (): Promise<{
    client: Client;
    transport: StreamableHTTPClientTransport;
    fault?: unknown;
  }> => {
    const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider });
    const client = new Client(
      { name: 'test-ide', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    return client.connect(transport).then(
      () => ({ client, transport }),
      (fault: unknown) => ({ client, transport, fault }),
    );
  };

  const refused = await connect();
  if (!(refused.fault instanceof UnauthorizedError) || sentTo === undefined)
    throw new Error(`the client was not sent to a sign-in: ${String(refused.fault)}`);
  const browser = new Browser();
  const page = await reachConsent(browser, sentTo, person);
  const back = await press(browser, page, 'allow');
  await refused.transport.finishAuth(new URL(back.headers.get('location') ?? '').searchParams);
  const { client, fault } = await connect();
  if (fault !== undefined) throw fault;
  return { client, consent: page.html, token: tokens?.access_token ?? '' };
}
