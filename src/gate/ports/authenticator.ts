import type { Principal } from '../../kernel/principal';

/** What a caller shows to say who it is. */
export interface Credential {
  /** A JWT or opaque access token of the identity provider. */
  readonly bearer: string;
  /** The caller's network address; failed credentials are counted by it. */
  readonly address: string;
}

/** Port: who is this? */
export abstract class Authenticator {
  /**
   * The active principal that the credential stands for.
   * @throws AppError `unauthenticated` for a bad credential or an inactive user, `too_many_requests` for a
   * guesser, `unavailable` when the identity provider cannot be asked.
   */
  abstract identify(credential: Credential): Promise<Principal>;

  /**
   * For a way in that checks a secret by itself, before it does.
   * @throws AppError `too_many_requests` for an address that has failed too often.
   */
  abstract refuseGuesser(address: string): Promise<void>;

  /** For a way in that checks a secret by itself: counts a bad one against its address. */
  abstract failed(address: string): Promise<void>;
}
