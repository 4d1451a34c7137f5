import { Injectable } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { AppError } from '../../kernel/app-error';
import { type AdmittedClient, ClientLimits } from '../kit/client-limits';
import type { SignedInSshClient } from './signed-in-client';

/**
 * Finds the connection that a signed-in client named, and counts the client in the limits. The gate decides
 * on access later, for each channel.
 */
@Injectable()
export class SshAdmission {
  constructor(
    private readonly gate: Gate,
    private readonly limits: ClientLimits,
  ) {}

  /** @throws AppError */
  async admit({ principal, target: named }: SignedInSshClient): Promise<AdmittedClient> {
    if (principal.role === 'auditor')
      throw new AppError('forbidden', 'auditors may read, but open no connections');
    const target = await this.gate.target(principal, named);
    if (target.clientProtocol !== 'ssh')
      throw new AppError('unprocessable', `the connection ${target.name} is not an SSH server`);
    const place = await this.limits.enter(principal.userId, target.id);
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    return { connection: target.id, leave: () => place.leave() };
  }
}
