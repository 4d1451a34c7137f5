import type { Principal } from '../../kernel/principal';

/** What a caller shows to say who it is. */
export interface Credential {
  /** A JWT or opaque access token of the identity provider. */
  readonly bearer: string;
  /** The caller's network address; failed credentials are counted by it. */
  readonly address: string;
}

/** A try to show who one is, as failures are counted. */
export interface Attempt {
  /** The caller's network address. */
  readonly address: string;
  /** The user name, or how the token begins: enough of it that two good ones differ. */
  readonly subject: string;
}

/** Port: who is this? */
export abstract class Authenticator {
  /**
   * The active principal that the credential stands for. Failures of other credentials from the same address do not matter.
   * @throws AppError `unauthenticated` for a bad credential or an inactive user, `too_many_requests` for a bad one
   * of a guesser, `unavailable` when the identity provider cannot be asked.
   */
  abstract identify(credential: Credential): Promise<Principal>;

  /** Checks that the identity provider answers. @throws when nobody new can be identified. */
  abstract probe(): Promise<void>;

  /**
   * For a way in that checks a secret by itself, before it does.
   * @throws AppError `too_many_requests` for a name or token that has failed too often from that address.
   */
  abstract refuseGuesser(attempt: Attempt): Promise<void>;

  /**
   * For a way in that checks a secret by itself: counts a bad one.
   * @throws AppError `too_many_requests` where the address has failed too often: to be told instead of what is wrong.
   */
  abstract failed(attempt: Attempt): Promise<void>;
}
