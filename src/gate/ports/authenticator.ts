import type { Principal } from '../../kernel/principal';

/** The credential of a caller. */
export interface Credential {
  /**
   * An access token of the identity provider (JWT or opaque), an API key, or an
   * access token of our own authorization server.
   */
  readonly bearer: string;
  /** The caller's network address; failed credentials are counted by it. */
  readonly address: string;
  /**
   * URL of the MCP endpoint at which the credential is presented (`mcpResource`); absent everywhere else.
   * Access tokens of our own authorization server are good at exactly one; all other credentials are good
   * with or without it.
   */
  readonly resource?: string;
}

/** An attempt to authenticate, by which failures are counted. */
export interface Attempt {
  /** The caller's network address. */
  readonly address: string;
  /** The user name, or the beginning of the token, long enough to distinguish valid tokens. */
  readonly subject: string;
}

/** Port: authenticates callers. */
export abstract class Authenticator {
  /**
   * The active principal of a credential. Failures of other credentials from the same address do not matter.
   * @throws AppError `unauthenticated` for a bad credential or an inactive user, `too_many_requests` for a
   * bad one from an address with too many failures, `unavailable` when the identity provider cannot be asked.
   */
  abstract identify(credential: Credential): Promise<Principal>;

  /** Checks that the identity provider answers. @throws when nobody new can be authenticated. */
  abstract probe(): Promise<void>;

  /**
   * For protocols that check a secret themselves; must be called before the check.
   * @throws AppError `too_many_requests` for a name or token with too many failures from that address.
   */
  abstract refuseGuesser(attempt: Attempt): Promise<void>;

  /**
   * For protocols that check a secret themselves: counts a failure.
   * @throws AppError `too_many_requests` when the address has too many failures; the caller gets this instead
   * of the fault.
   */
  abstract failed(attempt: Attempt): Promise<void>;
}
