import type { Principal } from '../../kernel/principal';

/** The credential of a caller. */
export interface Credential {
  /**
   * An access token of the identity provider (JWT or opaque), an API key, or an
   * access token of our own authorization server.
   */
  readonly bearer: string;
  /** The caller's network address. Failed credentials are counted per address. */
  readonly address: string;
  /**
   * URL of the MCP endpoint that received the credential (`mcpResource`); absent everywhere else. An access
   * token of our own authorization server is valid at exactly one endpoint. All other credentials are valid
   * with or without a URL.
   */
  readonly resource?: string;
}

/** An attempt to authenticate. Failures are counted per address, and per address and subject. */
export interface Attempt {
  /** The caller's network address. */
  readonly address: string;
  /** The user name, or a prefix of the token that is long enough to distinguish valid tokens. */
  readonly subject: string;
}

/** Port: authenticates callers. */
export abstract class Authenticator {
  /**
   * Returns the active principal of a credential. A valid credential is accepted even if other credentials
   * from the same address have failed.
   * @throws AppError `unauthenticated` for a bad credential or an inactive user; `too_many_requests` for a
   * bad credential from an address with too many failures; `unavailable` when the identity provider cannot be
   * reached.
   */
  abstract identify(credential: Credential): Promise<Principal>;

  /** Checks that the identity provider answers. @throws when no new user can be authenticated. */
  abstract probe(): Promise<void>;

  /**
   * Refuses a name or token with too many failures. Protocols that check a secret themselves must call this
   * method before the check.
   * @throws AppError `too_many_requests` for a name or token with too many failures from that address.
   */
  abstract refuseGuesser(attempt: Attempt): Promise<void>;

  /**
   * Counts a failed sign-in, for protocols that check a secret themselves.
   * @throws AppError `too_many_requests` when the address has too many failures. The client must then get
   * this error instead of the usual one.
   */
  abstract failed(attempt: Attempt): Promise<void>;
}
