import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

export type UpstreamHeaders = Readonly<Record<string, string>>;

/**
 * Reason why there is no credential. `needs_reauth`: a user has to act first. `unreachable`: the issuer of
 * the credential did not answer; a later attempt may succeed.
 */
export type CredentialFaultReason = 'needs_reauth' | 'unreachable';

/**
 * Error when there is no credential for a target at the moment. The message is for the caller, in plain words
 * and without secrets.
 */
export class CredentialFault extends Error {
  constructor(
    readonly reason: CredentialFaultReason,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = 'CredentialFault';
  }
}

/**
 * Error when a person has to sign in at the target's authorization server in the browser; see
 * `UpstreamSignIns`.
 */
export class SignInNeeded extends CredentialFault {
  constructor(message: string) {
    super('needs_reauth', message);
    this.name = 'SignInNeeded';
  }
}

/**
 * The credential that the gateway uses at one target for one principal. It is never a credential that the
 * principal presented to the gateway.
 */
export interface UpstreamCredential {
  /** Returns the headers for the next request; must be called for each request. @throws CredentialFault */
  headers(): MaybePromise<UpstreamHeaders>;
  /**
   * Reports that the target answered 401 to a request with these headers, so it did not handle the request.
   * @returns whether there are new headers now, with which the caller may send the request once more.
   * @throws CredentialFault
   */
  refused(headers: UpstreamHeaders): Promise<boolean>;
}

/**
 * Port: credentials for targets that the gateway reaches over HTTP. Tokens are stored encrypted. When a token
 * must be renewed, one gateway renews it for all gateways.
 */
export abstract class UpstreamCredentials {
  /** @throws when no key opens the secret of the target. */
  abstract of(target: Target, principal: Principal): UpstreamCredential;
}
