import { GatewayFault } from './gateway-fault.js';

/**
 * Gives the token of the next request. Called for each: it keeps the token itself, as long as it is good.
 * @param refused the token that the gateway refused (401); the one that is returned now is tried once.
 */
export type TokenProvider = (refused: string | undefined) => string | undefined | Promise<string | undefined>;

/** An access token or an API key (`gwk_…`), which never changes; or what provides tokens. */
export type Credential = string | TokenProvider;

/**
 * Puts the token on requests, and asks once more when it was refused. A refused request was not carried out,
 * so any method is repeated.
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
  // The platform's error about an invalid header contains the whole header.
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
