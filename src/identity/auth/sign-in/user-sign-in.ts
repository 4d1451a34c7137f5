import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings';
import { isUnavailable } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { type Claims, type Profile, hasOverage, joinClaims, profileOf } from '../provider/claims';
import { IdentityProviderClient, type SignIn } from '../provider/identity-provider.client';
import { SignedInUsers } from '../users/signed-in-users';
import { UsersService } from '../users/users.service';

/** Signs in the person whom verified claims describe: creates or updates the user and the user's groups. */
@Injectable()
export class UserSignIn {
  private readonly log = new Logger(UserSignIn.name);

  constructor(
    private readonly users: UsersService,
    private readonly signedIn: SignedInUsers,
    private readonly provider: IdentityProviderClient,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs in the person of the claims. Returns the user's id.
   * @param saidAt time of the request to the provider, or of its answer, in milliseconds since 1970
   * @param accessToken the token with these claims. If it is given, missing claims are added from userinfo.
   * @throws AppError `unauthenticated` when the claims have no subject
   */
  async signIn(claims: Claims, saidAt: number, accessToken?: string): Promise<string> {
    return this.signedIn.signIn(await this.profile(claims, accessToken, saidAt));
  }

  /**
   * Signs in the person of claims that the provider just sent, and checks that the user is active.
   * @param isPartial whether claims may be missing; then an absent groups claim does not mean "no groups"
   * @throws AppError `unauthenticated`
   */
  async principal({ claims, isPartial }: Pick<SignIn, 'claims' | 'isPartial'>): Promise<Principal> {
    const profile = await this.profile(claims, undefined, this.clock.now(), isPartial);
    return this.users.principal(await this.signedIn.signIn(profile));
  }

  /** Adds missing claims from userinfo, because many access tokens contain neither profile nor groups. */
  private async profile(
    claims: Claims,
    accessToken: string | undefined,
    saidAt: number,
    isPartial = false,
  ): Promise<Profile> {
    const { groupsClaim: claim, groupsAuthoritative: authoritative } = this.settings.identityProvider;
    const ofRoles = [this.settings.roles.adminGroup, this.settings.roles.auditorGroup];
    let all = claims;
    let couldAsk = !isPartial;
    const thin = claims['email'] === undefined || (authoritative && claims[claim] === undefined);
    if (thin && accessToken !== undefined) {
      const more = await this.provider
        .userinfo(accessToken, String(claims['sub']))
        .catch((error: unknown) => {
          this.log.debug({ err: error }, 'userinfo could not be read');
          couldAsk = !isUnavailable(error);
          return {};
        });
      all = joinClaims(claims, more);
    }
    const { matchClaim } = this.settings.scim;
    const profile = profileOf(all, { claim, ofRoles, matchClaim }, saidAt);
    if (hasOverage(all, claim)) {
      this.log.warn(
        `The groups of ${profile.subject} do not fit into the token (overage), so they are left unchanged`,
      );
      return { ...profile, groups: undefined };
    }
    // An unreachable provider must not clear groups.
    const saysNone = authoritative && couldAsk && all[claim] === undefined;
    return saysNone ? { ...profile, groups: [] } : profile;
  }
}
