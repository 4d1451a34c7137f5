import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { type Target, TargetDirectory } from '../../../gate/ports/target-directory';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import { type SignInPlan, authPlanOf } from '../oauth/auth-of-secret';
import type { BrowserVisit } from './browser-visits';
import { type StoredAddress, SignInAddresses } from './sign-in-addresses';
import { isOver, unknownAddress } from './sign-in-faults';

/** A sign-in address, with the current data of its person and of its connection. */
export interface OpenedAddress {
  readonly address: StoredAddress;
  readonly person: Principal;
  readonly target: Target;
  readonly plan: SignInPlan;
}

/** Decides who may use a sign-in address. Checks this again at each step of the sign-in. */
@Injectable()
export class AddressAccess {
  constructor(
    private readonly principals: Principals,
    private readonly targets: TargetDirectory,
    private readonly addresses: SignInAddresses,
  ) {}

  /**
   * @throws PageFault with the same text if the sign-in address does not exist, was used, has expired, or
   * belongs to another user.
   */
  async open({ orgId, signInId, userId }: BrowserVisit): Promise<OpenedAddress> {
    const person = await this.personOf(userId);
    const address = await this.addresses.find(orgId, signInId, userId);
    const target = address === undefined ? undefined : await this.targets.find(person, address.connectionId);
    const plan = target === undefined ? undefined : authPlanOf(target.openSecret());
    if (address === undefined || target === undefined || plan?.kind !== 'sign-in') throw unknownAddress();
    if (!mayConnect(plan, person)) throw unknownAddress();
    return { address, person, target, plan };
  }

  /** Marks the sign-in address as used. @throws PageFault if it was used before */
  async use(db: EntityManager, { id }: StoredAddress): Promise<void> {
    if (!(await this.addresses.complete(db, id))) throw isOver();
  }

  private async personOf(userId: string): Promise<Principal> {
    try {
      return await this.principals.current({ identityType: 'user', userId });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      throw new PageFault('You may not sign in', 'Your account here is inactive. Ask an administrator.', 403);
    }
  }
}

/**
 * Whether the principal may connect an account. A person connects his or her own account. An admin also
 * connects the account that all users share. Auditors must not change anything, and API keys cannot open a
 * page.
 */
export function mayConnect({ subject }: SignInPlan, { role, identityType }: Principal): boolean {
  if (identityType !== 'user' || role === 'auditor') return false;
  return subject === 'user' || role === 'admin';
}
