import { CommandFault, EXIT } from '../exit-codes.js';

export const CLIENT = 'gateway-cli';

/** Tokens of a sign-in, as they are stored. */
export interface SignIn {
  readonly access: string;
  readonly refresh: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A refusal of the authorization server (RFC 6749, section 5.2). */
export class OAuthRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Timeout of a request. Shorter than `STALE_MS`, because the caller may hold the lock during the request. */
const ANSWERED_WITHIN_MS = 20_000;

/**
 * Sends a form to an endpoint of the authorization server, below the URL of the API.
 * @throws OAuthRefusal; CommandFault when the gateway does not answer, or does not have this endpoint
 */
export async function post(
  api: string,
  path: string,
  form: Record<string, string>,
): Promise<Record<string, string | number>> {
  let response: Response;
  try {
    response = await fetch(`${api}/oauth${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      redirect: 'error',
      headers: { 'User-Agent': agent() },
      body: new URLSearchParams({ client_id: CLIENT, ...form }),
    });
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new CommandFault(`the gateway did not answer: ${why}`, EXIT.unavailable);
  }
  const body = (await response.json().catch(() => ({}))) as Record<string, string | number>;
  if (response.ok) return body;
  if (response.status === 404)
    throw new CommandFault(
      'this gateway signs nobody in at the command line (MCP_AUTHORIZATION=idp); set GATEWAY_TOKEN',
      EXIT.notAllowed,
    );
  throw new OAuthRefusal(
    String(body['error'] ?? response.status),
    String(body['error_description'] ?? `HTTP ${response.status}`),
  );
}

/** Converts the answer of the token endpoint. */
export function signInOf(body: Record<string, string | number>): SignIn {
  return {
    access: String(body['access_token']),
    refresh: String(body['refresh_token']),
    expiresAt: Date.now() + Number(body['expires_in']) * 1000,
  };
}

export function agent(): string {
  return `gateway-cli/0.1.0 (${process.platform})`;
}
