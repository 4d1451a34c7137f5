import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Principal } from '../../kernel/principal';
import type { Target } from './target-directory';

export type UpstreamHeaders = Readonly<Record<string, string>>;

/**
 * `needs_reauth`: a user has to act before there is a credential. `unreachable`: its issuer did not answer; a
 * later attempt may succeed.
 */
export type CredentialFaultReason = 'needs_reauth' | 'unreachable';

/**
 * There is no credential for a target now. The message is in plain words for
 * the caller, with no secret in it.
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

/** A person has to sign in at the target's authorization server, in the browser; see `UpstreamSignIns`. */
export class SignInNeeded extends CredentialFault {
  constructor(message: string) {
    super('needs_reauth', message);
    this.name = 'SignInNeeded';
  }
}

/**
 * The credential with which the gateway reaches one target for one principal. Never one that the principal
 * presented to the gateway.
 */
export interface UpstreamCredential {
  /** Headers of the next request, asked for each one. @throws CredentialFault */
  headers(): MaybePromise<UpstreamHeaders>;
  /**
   * The target answered 401 to these headers, so it did not handle the request.
   * @returns whether there are others now: then the request may be sent once more. @throws CredentialFault
   */
  refused(headers: UpstreamHeaders): Promise<boolean>;
}

/**
 * Port: credentials for targets that the gateway reaches over HTTP. Tokens are
 * kept sealed, and renewed once for all gateways.
 */
export abstract class UpstreamCredentials {
  /** @throws when no key opens the secret of the target. */
  abstract of(target: Target, principal: Principal): UpstreamCredential;
}
