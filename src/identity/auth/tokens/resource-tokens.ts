import { Injectable } from '@nestjs/common';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';

/** Prefix of access tokens from the gateway's own authorization server. */
export const RESOURCE_TOKEN_START = 'gwt_';

/**
 * Finds the person of an access token that is presented at this resource.
 * @throws AppError `unauthenticated` when the token is unknown, has expired, was revoked, or is for another
 * resource
 */
export type ResourceTokenCheck = (bearer: string, resource: string) => Promise<Principal>;

/**
 * Access tokens of the gateway's own authorization server. A token is valid only at the resource for which it
 * was issued. The module that issues the tokens registers its check; before that, every token is refused.
 */
@Injectable()
export class ResourceTokens {
  private check: ResourceTokenCheck | undefined;

  /** Registers the check. Called once, by the module that issues the tokens. */
  checkedBy(check: ResourceTokenCheck): void {
    this.check = check;
  }

  /**
   * @param resource URL at which the token is presented; undefined where
   * tokens of this kind are not accepted.
   * @throws AppError `unauthenticated`
   */
  async identify(bearer: string, resource: string | undefined): Promise<Principal> {
    if (resource === undefined || this.check === undefined)
      throw new AppError(
        'unauthenticated',
        'this access token is good only where the gateway issued it for: an MCP endpoint, or the REST API',
      );
    return this.check(bearer, resource);
  }

  /** Whether a token that was valid is still valid. @throws when that cannot be checked */
  async lasts(bearer: string, resource: string): Promise<boolean> {
    try {
      await this.identify(bearer, resource);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return false;
      throw error;
    }
  }
}

export function isResourceToken(bearer: string): boolean {
  return bearer.startsWith(RESOURCE_TOKEN_START);
}
