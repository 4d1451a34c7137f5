import { Injectable } from '@nestjs/common';
import { PostgresProxySettings, TlsSettings } from '../../platform/config/groups';
import {
  type CredentialBody,
  DEFAULT_SECONDS,
  type IssuedCredentialView,
  TYPE,
  credentialHead,
} from '../credentials/credential.dto';
import { CredentialStore, type StoredCredential } from '../credentials/credential-store';
import { freshPassword } from '../credentials/password';
import { FOREIGN_KEY_VIOLATION, brokenConstraint } from '../../platform/database/faults/constraint';
import { requireReason } from '../../gate/ports/access-decider';
import type { Target } from '../../gate/ports/target-directory';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import { AccessDecisions } from '../life/access-decisions';
import { connectionNotFound } from '../life/access-errors';
import { clientAddress } from './client-address';
import { Grants } from '../life/grants';

/** Gives people and machines credentials for clients of a target's own protocol. */
@Injectable()
export class CredentialIssuer {
  constructor(
    private readonly decisions: AccessDecisions,
    private readonly grants: Grants,
    private readonly credentials: CredentialStore,
    private readonly settings: PostgresProxySettings,
    private readonly tls: TlsSettings,
  ) {}

  /**
   * Decides access as for a client that connects; the gate decides again whenever the
   * credential is used. Where people have to approve, they are asked first; once they
   * have approved, the same call returns the credential.
   * @throws AppError `not_found`, `forbidden`; `unprocessable` for connections that no such client can use,
   * and beyond the limits of the rules; `conflict` outside the hours of an approval.
   */
  async issue(change: Change, nameOrId: string, body: CredentialBody): Promise<IssuedCredentialView> {
    const decided = await this.decisions.byName(change.actor, nameOrId, 'connect');
    if (decided === undefined) throw connectionNotFound();
    const { target, decision } = decided;
    if (decision.kind === 'deny') throw new AppError('forbidden', decision.message);
    this.requireServed(target);
    const seconds = body.access_duration_seconds ?? null;
    const reason = body.reason ?? null;
    if (decision.kind === 'allow') requireReason(decision.reasonFor, reason);
    const issuing =
      decision.kind === 'review'
        ? this.grants.request(change, target, decision, { seconds, reason })
        : this.issueUnreviewed(change, target, seconds ?? DEFAULT_SECONDS, reason);
    const { credential, password } = await issuing.catch((error: unknown) => {
      const broken = brokenConstraint(error, FOREIGN_KEY_VIOLATION);
      throw broken === 'connection_credentials_connection_fk' ? connectionNotFound() : error;
    });
    const head = credentialHead(credential, target);
    const { expire_at } = head;
    if (password === undefined || expire_at === null) return { ...head, connection_credentials: null };
    // Without the key of its secret nobody connects now; the name of the connection serves once there is one.
    const database = target.databaseName() ?? target.name;
    const client = { username: head.id, password, database };
    return { ...head, expire_at, connection_credentials: clientAddress(this.settings, this.tls, client) };
  }

  /** A credential that needs no approval. */
  private async issueUnreviewed(
    change: Change,
    target: Target,
    seconds: number,
    reason: string | null,
  ): Promise<{ credential: StoredCredential; password: string }> {
    const { password, verifier } = await freshPassword();
    const { actor } = change;
    const credential = await this.credentials.transaction(async (db) => {
      const span = { seconds, reason };
      const issued = await this.credentials.addIssued(db, actor, target.id, verifier, span);
      const after = credentialHead(issued, target);
      await change.record(db, { type: TYPE, id: issued.id, action: 'create', before: null, after });
      return issued;
    });
    return { credential, password };
  }

  private requireServed({ clientProtocol }: Target): void {
    if (clientProtocol !== 'postgresql')
      throw new AppError('unprocessable', 'credentials are issued for postgres connections only');
    if (this.settings.port === 0)
      throw new AppError('unprocessable', 'this gateway does not listen for PostgreSQL clients');
  }
}
