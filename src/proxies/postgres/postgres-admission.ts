import { Injectable } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { AppError } from '../../kernel/app-error';
import { type AdmittedClient, ClientLimits } from '../kit/client-limits';
import { NamedConnections } from './named-connections';
import type { SignedInClient } from './signed-in-client';

/**
 * Finds the connection that a signed-in client named, and counts the client in the limits. The gate decides
 * on access later.
 */
@Injectable()
export class PostgresAdmission {
  constructor(
    private readonly gate: Gate,
    private readonly named: NamedConnections,
    private readonly limits: ClientLimits,
  ) {}

  /** @throws AppError, SignInRefusal */
  async admit({ principal, credential, user, database }: SignedInClient): Promise<AdmittedClient> {
    if (principal.role === 'auditor')
      throw new AppError('forbidden', 'auditors may read, but open no connections');
    // A credential opens one connection. A client with a token may name any connection.
    const connection = credential === null ? await this.named.find(principal, { user, database }) : database;
    const target = await this.gate.target(principal, connection);
    const place = await this.limits.enter(principal.userId, target.id);
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    return { connection: target.id, leave: () => place.leave() };
  }
}
