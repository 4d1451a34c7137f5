import { Injectable } from '@nestjs/common';
import { Principals } from '../../identity/auth/users/principals';
import { ConnectionsService } from '../../connections/registry/connections.service';
import { hasEmergencyAccess } from '../../connections/registry/fields/access-groups';
import { AppError } from '../../kernel/app-error';
import { Emergencies, type OpenEmergency } from '../../approvals/reviews/decisions/emergencies';

/**
 * Revokes an emergency when its requester has left the emergency groups of the connection, which also ends
 * its sessions. Only these groups justify an emergency. Other approvals stay valid, because other people gave
 * them.
 */
@Injectable()
export class EmergencyRights {
  constructor(
    private readonly emergencies: Emergencies,
    private readonly principals: Principals,
    private readonly connections: ConnectionsService,
  ) {}

  /**
   * @throws the first error, after all emergencies were tried, so that one
   * failure does not keep the others open.
   */
  async revalidate(orgId: string): Promise<void> {
    const faults: unknown[] = [];
    for (const emergency of await this.emergencies.open(orgId))
      await this.endIfLost(orgId, emergency).catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  }

  private async endIfLost(orgId: string, emergency: OpenEmergency): Promise<void> {
    const loss = await this.lossOf(orgId, emergency);
    if (loss !== undefined) await this.emergencies.withdraw(orgId, emergency.id, loss);
  }

  /** Returns why the right was lost, as a sentence for the recording; undefined: it still holds. */
  private async lossOf(
    orgId: string,
    { requesterId, connectionId }: OpenEmergency,
  ): Promise<string | undefined> {
    if (requesterId === null || connectionId === null) return undefined;
    const groups = await this.connections.emergencyGroups(orgId, connectionId);
    // Nothing to do, because the deletion of a connection ends all access to it.
    if (groups === undefined) return undefined;
    try {
      const requester = await this.principals.current({ identityType: 'user', userId: requesterId });
      return hasEmergencyAccess(requester, groups)
        ? undefined
        : 'The emergency was ended: its requester is not in an emergency group of the connection any more.';
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated')
        return 'The emergency was ended: its requester may no longer act.';
      throw error;
    }
  }
}
