import {
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StreamableHTTPClientTransport,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';

/** Maximum number of sign-ins of a person in one scenario. After that, the request fails. */
const MAX_SIGN_INS = 3;

/** The sign-in of the person behind the client of a scenario. */
export interface SignIn {
  /** OAuth provider for the SDK; undefined if the client does not sign in at the server itself. */
  readonly authProvider?: OAuthClientProvider;
  /** Opens an address in the browser of the person. Rejects when the sign-in fails there. */
  open(address: string): Promise<void>;
  /**
   * Handles an error, or a tool result that reports an error. Signs in if the answer asks for a sign-in.
   * @returns whether the request may be repeated
   */
  after(answer: unknown, transport: StreamableHTTPClientTransport): Promise<boolean>;
}

/** Redirect address. No server listens there, because the test only reads the redirect's parameters. */
const LOOPBACK_URI = 'http://127.0.0.1:3333/callback';

/** Address of the client metadata document that the suite expects. The document need not exist. */
export const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';

export interface KnownClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * Signs in with the SDK at the authorization server of the suite, which signs everybody in without a page.
 */
export function directSignIn(known: KnownClient | undefined, isDocumentUsed: boolean): SignIn {
  let times = 0;
  let sentTo: URL | undefined;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  let client: ReturnType<OAuthClientProvider['clientInformation']> = known;
  const authProvider: OAuthClientProvider = {
    redirectUrl: LOOPBACK_URI,
    ...(isDocumentUsed ? { clientMetadataUrl: CLIENT_DOCUMENT } : {}),
    clientMetadata: {
      client_name: 'scenario-client',
      redirect_uris: [LOOPBACK_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    },
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => void (discovered = given),
    discoveryState: () => discovered,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') client = known;
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
      if (scope === 'all' || scope === 'discovery') discovered = undefined;
    },
  };
  return {
    authProvider,
    open: (address) => Promise.reject(new Error(`nobody asked for ${address}`)),
    after: async (answer, transport) => {
      if (!(answer instanceof UnauthorizedError) || sentTo === undefined) return false;
      if (++times > MAX_SIGN_INS) return false;
      const asked = await fetch(sentTo, { redirect: 'manual' });
      sentTo = undefined;
      await transport.finishAuth(new URL(asked.headers.get('location') ?? '').searchParams);
      // Forgets the discovery, because the server may name another authorization server the next time.
      discovered = undefined;
      return true;
    },
  };
}

/**
 * Signs in through the gateway. The client receives a sign-in address by elicitation, by error -32042 or in
 * the text of a result, and opens it.
 * @param browse follows the address as the person, until the sign-in is complete
 */
export function signInByAddress(browse: (address: string) => Promise<void>): SignIn {
  let times = 0;
  return {
    open: browse,
    after: async (answer) => {
      const address = addressIn(answer);
      if (address === undefined || ++times > MAX_SIGN_INS) return false;
      await browse(address);
      return true;
    },
  };
}

function addressIn(answer: unknown): string | undefined {
  if (answer instanceof UrlElicitationRequiredError) return answer.elicitations[0]?.url;
  const words = answer instanceof Error ? answer.message : JSON.stringify(answer);
  return /The address is (https?:\/\/[^\s"]+)/.exec(words)?.[1];
}
