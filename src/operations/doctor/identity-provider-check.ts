import * as oidc from 'openid-client';
import { ACCESS_TOKEN_ALGORITHMS } from '../../identity/auth/tokens/access-token-verifier';
import { boundedFetch } from '../../identity/auth/provider/bounded-fetch';
import { IdentityProviderClient } from '../../identity/auth/provider/identity-provider.client';
import { opaqueTokenCheck } from '../../identity/auth/tokens/opaque-tokens';
import { messageOf } from '../../kernel/app-error';
import { SystemClock } from '../../kernel/async/clock';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('identity provider');
/** Tolerated clock difference, the same as for times in tokens (identity/auth/tokens/token-claims.ts). */
const CLOCK_MAY_DIFFER_MS = 30_000;

interface Provider {
  readonly settings: Examined['settings'];
  readonly config: oidc.Configuration;
  readonly redirectUri: string;
}

/**
 * Checks discovery, keys and algorithms, and that the provider knows this client with its secret and its
 * redirect URI.
 */
export async function checkIdentityProvider({ settings }: Examined): Promise<Diagnosis[]> {
  const { issuer } = settings.identityProvider;
  const config = await new IdentityProviderClient(settings, new SystemClock())
    .configuration()
    .catch((error: unknown) => causeOf(error));
  if (typeof config === 'string')
    return [
      report.fault(
        `The identity provider cannot be discovered at ${issuer} (${config}).`,
        'Correct IDP_ISSUER (its /.well-known/openid-configuration must answer, over https unless it is on this machine), or the way to it: DNS, firewall, NODE_EXTRA_CA_CERTS.',
      ),
    ];
  const redirectUri = `${settings.http.apiUrl}${settings.http.apiPrefix}/callback`;
  const provider = { settings, config, redirectUri };
  const answers = await Promise.all([
    checkKeySet(provider),
    checkRedirectUri(provider),
    checkClient(provider),
    checkOpaqueTokens(provider),
    checkClock(issuer),
  ]);
  const found = [...checkMetadata(provider), ...answers.flat()];
  return found.length > 0
    ? found
    : [report.ok(`${issuer} knows client ${settings.identityProvider.clientId} and ${redirectUri}.`)];
}

async function checkKeySet({ config }: Provider): Promise<Diagnosis[]> {
  const { jwks_uri } = config.serverMetadata();
  const advice = 'Have the provider publish its public signing keys (jwks_uri).';
  if (jwks_uri === undefined) return [report.fault('The identity provider publishes no keys.', advice)];
  try {
    const { keys } = (await fetchJson(jwks_uri)) as { keys?: { kty?: string; use?: string; alg?: string }[] };
    const usable = (keys ?? []).filter(
      ({ kty, use, alg }) =>
        (kty === 'RSA' || kty === 'EC') &&
        (use ?? 'sig') === 'sig' &&
        (alg === undefined || ACCESS_TOKEN_ALGORITHMS.includes(alg)),
    );
    if (usable.length > 0) return [];
    return [
      report.fault(
        `Of the ${keys?.length ?? 0} keys at ${jwks_uri}, the gateway can use none.`,
        `Have the provider sign with one of ${ACCESS_TOKEN_ALGORITHMS.join(', ')}.`,
      ),
    ];
  } catch (error) {
    return [report.fault(`The keys at ${jwks_uri} cannot be read (${causeOf(error)}).`, advice)];
  }
}

function checkMetadata({ config, settings }: Provider): Diagnosis[] {
  const metadata = config.serverMetadata();
  const found: Diagnosis[] = [];
  const signing = metadata.id_token_signing_alg_values_supported;
  if (signing?.every((one) => !ACCESS_TOKEN_ALGORITHMS.includes(one)) === true)
    found.push(
      report.fault(
        `The identity provider signs with ${signing.join(', ')} only.`,
        `Allow one of ${ACCESS_TOKEN_ALGORITHMS.join(', ')} there.`,
      ),
    );
  if (metadata.authorization_endpoint === undefined || metadata.token_endpoint === undefined)
    found.push(
      report.fault(
        'The identity provider has no authorization or no token endpoint.',
        'Correct IDP_ISSUER: it must be a provider for people.',
      ),
    );
  const asked = settings.identityProvider.scopes.split(' ').filter((one) => one !== '');
  const unknown = asked.filter((one) => metadata.scopes_supported?.includes(one) === false);
  if (unknown.length > 0)
    found.push(
      report.warning(
        `The identity provider does not list the scope ${unknown.join(', ')} of IDP_SCOPES.`,
        'Correct IDP_SCOPES, unless the provider takes scopes that it does not list.',
      ),
    );
  if (!asked.includes('openid'))
    found.push(
      report.fault(
        'IDP_SCOPES has no openid, so there is no ID token and nobody can sign in.',
        'Add openid to IDP_SCOPES.',
      ),
    );
  return found;
}

async function checkOpaqueTokens({ config, settings }: Provider): Promise<Diagnosis[]> {
  const hasEndpoint = typeof config.serverMetadata().introspection_endpoint === 'string';
  const check = opaqueTokenCheck(settings.identityProvider, hasEndpoint);
  if (check === 'introspection' && !hasEndpoint)
    return [
      report.fault(
        'IDP_OPAQUE_TOKENS is introspection, and the identity provider publishes no introspection endpoint.',
        'Set IDP_OPAQUE_TOKENS=refused where its tokens are JWTs, and userinfo where all its clients are yours.',
      ),
    ];
  if (check === 'introspection') return checkIntrospection(config);
  if (check !== 'userinfo' || settings.identityProvider.opaqueTokens === 'userinfo') return [];
  return [
    report.warning(
      'Access tokens that are no JWT are accepted from every client of the identity provider: it cannot say for whom they are.',
      'Set IDP_OPAQUE_TOKENS=refused where its tokens for the gateway are JWTs, and userinfo where all its clients are yours.',
    ),
  ];
}

/**
 * Introspects a token that was never issued. A provider that permits introspection reports it as inactive.
 */
async function checkIntrospection(config: oidc.Configuration): Promise<Diagnosis[]> {
  const fault = await oidc.tokenIntrospection(config, 'doctor').then(
    ({ active }) => (active ? 'it calls a token active that nobody issued' : undefined),
    (error: unknown) => causeOf(error),
  );
  if (fault === undefined) return [];
  return [
    report.fault(
      `The identity provider does not let this client introspect tokens (${fault}), so no opaque token is accepted.`,
      'Allow it there (introspection, with client_secret_post), or set IDP_OPAQUE_TOKENS: refused where its tokens are JWTs, userinfo where all its clients are yours.',
    ),
  ];
}

/**
 * Sends the request that a browser would send. The provider reports an error for a wrong client or redirect
 * URI; otherwise it redirects to a sign-in.
 */
async function checkRedirectUri({ config, settings, redirectUri }: Provider): Promise<Diagnosis[]> {
  if (config.serverMetadata().authorization_endpoint === undefined) return [];
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: settings.identityProvider.scopes,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const { status, headers } = await ask(url, settings);
  const location = headers?.get('location') ?? '';
  const refusal = URL.canParse(location, url.href) ? new URL(location, url).searchParams.get('error') : null;
  if (status < 400 && refusal === null) return [];
  const why = refusal ?? `status ${status}`;
  return [
    report.warning(
      `The identity provider refuses to sign people in for ${redirectUri} (${why}).`,
      `Register exactly this redirect URI for client ${settings.identityProvider.clientId}, with the authorization code flow and PKCE; if it is not the address that browsers use, correct API_URL.`,
    ),
  ];
}

async function ask(
  url: URL,
  { identityProvider }: Examined['settings'],
): Promise<{ status: number; headers?: Headers }> {
  try {
    const signal = AbortSignal.timeout(identityProvider.timeoutSeconds * 1000);
    const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' }, signal });
    await answer.body?.cancel();
    return answer;
  } catch {
    return { status: 504 };
  }
}

/**
 * Presents a code that was never issued. The provider answers `invalid_grant` to a client that it knows, and
 * `invalid_client` to an unknown client.
 */
async function checkClient({ config, settings, redirectUri }: Provider): Promise<Diagnosis[]> {
  if (config.serverMetadata().token_endpoint === undefined) return [];
  const parameters = {
    code: 'doctor',
    redirect_uri: redirectUri,
    code_verifier: oidc.randomPKCECodeVerifier(),
  };
  const error = await oidc.genericGrantRequest(config, 'authorization_code', parameters).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (!isRefusalOfClient(error)) return [];
  const { clientId, clientSecret } = settings.identityProvider;
  return [
    report.fault(
      `The identity provider does not take ${clientSecret === undefined ? `client ${clientId} without a secret` : `the secret of client ${clientId}`}.`,
      'Correct IDP_CLIENT_ID and IDP_CLIENT_SECRET; the client authenticates with client_secret_post.',
    ),
  ];
}

function isRefusalOfClient(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError)
    return ['invalid_client', 'unauthorized_client'].includes(error.error) || error.status === 401;
  return error instanceof oidc.WWWAuthenticateChallengeError;
}

async function checkClock(issuer: string): Promise<Diagnosis[]> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const date = await boundedFetch(url, {}).then(
    ({ headers, body }) => body?.cancel().then(() => headers.get('date')),
    () => undefined,
  );
  const awayMs = date === null || date === undefined ? 0 : Math.abs(Date.parse(date) - Date.now());
  if (!(awayMs > CLOCK_MAY_DIFFER_MS)) return [];
  return [
    report.fault(
      `The clocks of the identity provider and of this machine differ by ${Math.round(awayMs / 1000)} s.`,
      'Synchronize the clock of this machine (NTP): tokens seem to be of the future, or expired.',
    ),
  ];
}

async function fetchJson(url: string): Promise<unknown> {
  const answer = await boundedFetch(url, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`it answers ${answer.status}`);
  return answer.json();
}

/** Returns the innermost cause, because the outer error is only `fetch failed`. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors[0]);
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? causeOf(cause) : messageOf(error);
}
