import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { Principals } from '../auth/principals';
import { ConnectionsService } from '../connections/connections.service';
import {
  type IssuedCredential,
  IssuedCredentials,
  type ScramVerifier,
} from '../gate/ports/issued-credentials';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { ConnectionCredential } from './credential.entity';

/** Credentials are looked up at each sign-in: what was revoked a moment ago must not be remembered. */
@Injectable()
export class IssuedConnectionCredentials extends IssuedCredentials {
  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly connections: ConnectionsService,
    private readonly principals: Principals,
  ) {
    super();
  }

  async find(id: string): Promise<IssuedCredential | undefined> {
    const credential = isUUID(id) ? await this.live(id) : null;
    if (credential === null) return undefined;
    const { orgId, connectionId, expireAt: expiresAt } = credential;
    const verifier = verifierOf(credential);
    // Nobody asked for its password yet.
    if (verifier === undefined || expiresAt === null) return undefined;
    const [connection, principal] = await Promise.all([
      this.connections.findByNameOrId(orgId, connectionId),
      this.owner(credential),
    ]);
    if (connection === null || principal === undefined) return undefined;
    return {
      id: credential.id,
      principal,
      connectionId,
      connectionName: connection.name,
      verifier,
      expiresAt,
      reason: credential.reason,
    };
  }

  private live(id: string): Promise<ConnectionCredential | null> {
    return this.credentials
      .createQueryBuilder('credential')
      .where({ id })
      .andWhere('credential.revoked_at IS NULL AND credential.expire_at > now()')
      .getOne();
  }

  /** undefined: may no longer act. Auditors change nothing, also those who became one after it was issued. */
  private async owner(credential: ConnectionCredential): Promise<Principal | undefined> {
    try {
      const principal = await this.principals.current(credential);
      return principal.role === 'auditor' ? undefined : principal;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  }
}

function verifierOf({
  iterations,
  salt,
  storedKey,
  serverKey,
}: ConnectionCredential): ScramVerifier | undefined {
  return iterations === null || salt === null || storedKey === null || serverKey === null
    ? undefined
    : { iterations, salt, storedKey, serverKey };
}
