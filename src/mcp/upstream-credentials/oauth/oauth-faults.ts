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
 * 401 with a challenge is `invalid_client`: a server must send both to a client that authenticates with HTTP
 * Basic, and openid-client then reads the challenge only.
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
