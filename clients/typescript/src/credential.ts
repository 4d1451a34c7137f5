import { GatewayFault } from './gateway-fault.js';

/**
 * Returns the token for a request. The client calls the provider for each request, so the provider should
 * cache a valid token.
 * @param refused the token that the gateway has just refused (401). The client tries the returned token once.
 */
export type TokenProvider = (refused: string | undefined) => string | undefined | Promise<string | undefined>;

/** A fixed access token or API key (`gwk_…`), or a function that provides tokens. */
export type Credential = string | TokenProvider;

/**
 * Adds the token to requests. After a refusal (401), requests another token and repeats the request once.
 * This is safe for any method, because a refused request was not executed.
 */
export function withCredential(
  credential: Credential | undefined,
  send: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  if (credential === undefined) return send;
  const provide: TokenProvider =
    typeof credential === 'string'
      ? (refused) => (refused === undefined ? credential : undefined)
      : credential;
  return async (request) => {
    const token = await provide(undefined);
    const answer = await send(bearing(request, token));
    if (answer.status !== 401 || token === undefined) return answer;
    const other = await provide(token);
    if (other === undefined || other === token) return answer;
    await answer.body?.cancel();
    return send(bearing(request, other));
  };
}

/** Printable characters without spaces. */
const TOKEN = /^[\x21-\x7e]+$/;

function bearing(request: Request, token: string | undefined): Request {
  // Checked here, because the platform's error about an invalid header contains the header with the token.
  if (token !== undefined && !TOKEN.test(token))
    throw new GatewayFault(
      0,
      'the credential is no token: it has spaces, line breaks or other such characters',
      undefined,
    );
  const own = request.clone();
  if (token !== undefined) own.headers.set('Authorization', `Bearer ${token}`);
  return own;
}
