import { Injectable } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { AppError } from '../../kernel/app-error';
import { type AdmittedClient, ClientLimits } from '../kit/client-limits';
import { type RestingConnection, RestingClients } from './resting-clients';
import type { SshPerson } from './signed-in-client';

/**
 * Finds the connection that a signed-in client named, counts the client in the limits, and watches its
 * credential. The gate decides on access later, for each channel.
 */
@Injectable()
export class SshAdmission {
  constructor(
    private readonly gate: Gate,
    private readonly limits: ClientLimits,
    private readonly resting: RestingClients,
  ) {}

  /** @param connection closed when its credential ends while it rests. @throws AppError */
  async admit(
    { principal, target: named, credential }: SshPerson,
    connection?: RestingConnection,
  ): Promise<AdmittedClient> {
    if (principal.role === 'auditor')
      throw new AppError('forbidden', 'auditors may read, but open no connections');
    const target = await this.gate.target(principal, named);
    if (target.clientProtocol !== 'ssh')
      throw new AppError('unprocessable', `the connection ${target.name} is not an SSH server`);
    const place = await this.limits.enter(principal.userId, target.id);
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    const forget =
      credential === null || connection === undefined
        ? undefined
        : this.resting.watch(connection, credential.id);
    const leave = (): void => {
      forget?.();
      place.leave();
    };
    return { connection: target.id, leave };
  }
}
