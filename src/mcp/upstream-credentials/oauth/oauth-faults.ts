import * as oidc from 'openid-client';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';

/** An error that the endpoint answered with is its decision; everything else may be different next time. */
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

/** Codes of RFC 6749, section 5.2, and of its extensions; anything else that the server wrote is left out. */
export function oauthErrorOf(error: unknown): string | undefined {
  if (!(error instanceof oidc.ResponseBodyError) || error.status >= 500) return undefined;
  return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'with an error';
}

/** Answers of the endpoint may repeat what was sent to it: they are not logged. */
export function describedFault(error: unknown): { readonly type: string; readonly code: string | undefined } {
  const type = error instanceof Error ? error.name : typeof error;
  return { type, code: oauthErrorOf(error) ?? (error as { code?: string }).code };
}
