/**
 * Error codes of RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2; RFC 8628, section 3.5; RFC
 * 8707, section 2.
 */
export type OAuthErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_target'
  | 'server_error'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

/** A refusal of the authorization server. `message` is one plain sentence for the developer of the client. */
export class OAuthFault extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'OAuthFault';
  }
}

/** A refusal that is sent to the client's redirect URI, which was checked before. */
export class RedirectedFault extends OAuthFault {
  constructor(
    readonly back: { readonly redirectUri: string; readonly clientState: string | null },
    code: OAuthErrorCode,
    message: string,
  ) {
    super(code, message);
    this.name = 'RedirectedFault';
  }
}
