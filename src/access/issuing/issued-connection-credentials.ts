import { Injectable } from '@nestjs/common';
import { Principals } from '../../identity/auth/users/principals';
import {
  type IssuedCredential,
  IssuedCredentials,
  type ScramVerifier,
} from '../../gate/ports/issued-credentials';
import { TargetDirectory } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { ConnectionCredential } from '../credentials/credential.entity';
import { CredentialStore } from '../credentials/credential-store';

/** Finds credentials for sign-ins. Reads without a cache, so that a revocation has effect at once. */
@Injectable()
export class IssuedConnectionCredentials extends IssuedCredentials {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly targets: TargetDirectory,
    private readonly principals: Principals,
  ) {
    super();
  }

  async find(id: string): Promise<IssuedCredential | undefined> {
    const credential = await this.credentials.findLive(id);
    if (credential === null) return undefined;
    const { orgId, connectionId, expireAt: expiresAt } = credential;
    const verifier = verifierOf(credential);
    // The credential has no password yet, or has not started.
    if (verifier === undefined || expiresAt === null) return undefined;
    const [target, principal] = await Promise.all([
      this.targets.known(orgId, connectionId),
      this.owner(credential),
    ]);
    if (target === undefined || principal === undefined) return undefined;
    return {
      id: credential.id,
      principal,
      connectionId,
      connectionName: target.name,
      databaseName: target.databaseName(),
      verifier,
      expiresAt,
      reason: credential.reason,
    };
  }

  /** Returns the owner; undefined: the owner may no longer act, or has become an auditor. */
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
