/** Data of a sign-in with which its token is renewed, and revoked when the user disconnects. */
export interface Renewal {
  readonly issuer: string;
  /** Client to which the tokens were issued. No other client may present them. */
  readonly clientId: string;
  readonly resource: string;
  readonly refreshToken?: string;
  /** Granted scopes, or the requested scopes if the authorization server did not name the granted ones. */
  readonly scope?: string;
}

/**
 * An access token for an MCP server. Times are milliseconds since the epoch,
 * by the clock of the gateway that got it.
 */
export interface IssuedToken {
  readonly accessToken: string;
  readonly obtainedAt: number;
  /** Time from which the token is not used anymore. */
  readonly renewAt: number;
  /** Time after which the token may be deleted; default: `renewAt`. */
  readonly keepUntil?: number;
  /** Only for tokens from a user's sign-in. */
  readonly refresh?: Renewal;
}
