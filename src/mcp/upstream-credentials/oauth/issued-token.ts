/** Data of a sign-in by which the token is renewed, and ended when the user disconnects. */
export interface Renewal {
  readonly issuer: string;
  /** The client to which the tokens were issued: no other may present them. */
  readonly clientId: string;
  readonly resource: string;
  readonly refreshToken?: string;
  /** Scopes that were granted, as far as the authorization server named them. */
  readonly scope?: string;
}

/**
 * An access token for an MCP server. Times are milliseconds since the epoch,
 * by the clock of the gateway that got it.
 */
export interface IssuedToken {
  readonly accessToken: string;
  readonly obtainedAt: number;
  /** From then on it is not used any more. */
  readonly renewAt: number;
  /** When it may be deleted; default: after `renewAt`. */
  readonly keepUntil?: number;
  /** Only for tokens from a user's sign-in. */
  readonly refresh?: Renewal;
}
