import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan, DataSource } from 'typeorm';
import { Settings } from '../../../platform/config/settings';
import {
  FOREIGN_KEY_VIOLATION,
  UNIQUE_VIOLATION,
  brokenConstraint,
} from '../../../platform/database/faults/constraint';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { AuthorizationAudit, type Caller } from '../stored/authorization-audit';
import { AuthorizationDevice } from '../stored/authorization.entity';
import { type Allowed, Authorizations, type IssuedTokens } from '../stored/authorizations';
import { COMMAND_LINE } from '../protocol/command-line';
import { OAuthFault } from '../protocol/oauth-fault';

/** Path of the page where people type the code of a device, below the API prefix. */
export const DEVICE_PAGE = '/pages/device';

/** Executes a person's decision about a device once, and issues the tokens of the device once. */
@Injectable()
export class DeviceDecisions {
  constructor(
    private readonly authorizations: Authorizations,
    private readonly audit: AuthorizationAudit,
    private readonly database: DataSource,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Stores the decision. Returns false if the device was not waiting for a decision anymore. */
  async decide(
    { id, address }: AuthorizationDevice,
    person: Principal,
    decision: 'allowed' | 'refused',
    caller: Caller,
  ): Promise<boolean> {
    return this.database.transaction(async (db) => {
      const waiting = { id, decision: IsNull(), expiresAt: MoreThan(new Date(this.clock.now())) };
      const { affected } = await db.update(AuthorizationDevice, waiting, { decision, userId: person.userId });
      if (affected !== 1) return false;
      const event = decision === 'allowed' ? 'granted' : 'refused';
      await this.audit.append(db, person, event, this.allowed(id, person), caller, `asked from ${address}`);
      return true;
    });
  }

  /**
   * Issues the tokens of an allowed device, once.
   * @throws OAuthFault `invalid_grant` when they were issued before, or the person no longer exists
   */
  async tokens(device: AuthorizationDevice, userId: string): Promise<IssuedTokens> {
    const { orgId } = device;
    try {
      return await this.database.transaction(async (db) => {
        // `grantTokens` comes before `take`, because `grantTokens` locks the person: see the order of locks
        // in src/platform/database/README.md.
        const issued = await this.authorizations.grantTokens(db, this.allowed(device.id, { orgId, userId }));
        await this.take(db, device);
        return issued;
      });
    } catch (error) {
      // Unique violation: a parallel request has issued the tokens. Foreign key violation: the person no
      // longer exists.
      const broken = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION].some(
        (state) => brokenConstraint(error, state) !== undefined,
      );
      if (!broken) throw error;
      throw new OAuthFault('invalid_grant', 'the device code is not valid, was used, or has expired');
    }
  }

  private allowed(id: string, { orgId, userId }: Pick<Principal, 'orgId' | 'userId'>): Allowed {
    const { apiUrl, apiPrefix } = this.settings.http;
    return {
      orgId,
      id,
      userId,
      connectionId: null,
      connection: null,
      clientId: COMMAND_LINE.id,
      clientName: COMMAND_LINE.name,
      redirectUri: `${apiUrl}${apiPrefix}${DEVICE_PAGE}`,
    };
  }

  private async take(db: EntityManager, { id }: AuthorizationDevice): Promise<void> {
    const { affected } = await db.delete(AuthorizationDevice, { id });
    if (affected !== 1)
      throw new OAuthFault('invalid_grant', 'the device code is not valid, was used, or has expired');
  }
}
