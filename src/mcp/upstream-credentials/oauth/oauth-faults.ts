import * as oidc from 'openid-client';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';

/**
 * Converts an error to a fault. Only an OAuth error in the response is final; any other error may be
 * temporary.
 */
export function credentialFault(error: unknown): CredentialFault {
  if (error instanceof CredentialFault) return error;
  const code = oauthErrorOf(error);
  if (code !== undefined)
    return new CredentialFault(
      'needs_reauth',
      `The gateway gets no token for this MCP server: its token endpoint answered ${code}. An admin has to check the connection.`,
    );
  return new CredentialFault(
    'unreachable',
    'The gateway gets no token for this MCP server: its authorization server or token endpoint could not be reached, or did not answer as one.',
  );
}

/**
 * Returns the error code of RFC 6749, section 5.2, or of an extension, without other text of the server. A
 * 401 response with a challenge counts as `invalid_client`. A server must send both the challenge and the
 * error code to a client that uses HTTP Basic, but openid-client then reads only the challenge.
 */
export function oauthErrorOf(error: unknown): string | undefined {
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return error.status === 401 ? 'invalid_client' : undefined;
  if (!(error instanceof oidc.ResponseBodyError) || error.status >= 500) return undefined;
  return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'with an error';
}

/** Describes an error for the log, without the response of the endpoint, which may repeat the request. */
export function describedFault(error: unknown): { readonly type: string; readonly code: string | undefined } {
  const type = error instanceof Error ? error.name : typeof error;
  return { type, code: oauthErrorOf(error) ?? (error as { code?: string }).code };
}
