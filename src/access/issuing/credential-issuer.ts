import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import {
  type ConnectionCredentialsView,
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
import {
  type ClientLogin,
  type ClientPort,
  type PortEndpoint,
  connectionString,
} from '../../targets/contract/client-endpoint';
import { targetKind, targetKinds } from '../../targets/kinds';
import { Grants } from '../life/grants';

/** Gives people and machines credentials for clients of a target's own protocol. */
@Injectable()
export class CredentialIssuer {
  constructor(
    private readonly decisions: AccessDecisions,
    private readonly grants: Grants,
    private readonly credentials: CredentialStore,
    private readonly settings: Settings,
  ) {}

  /**
   * Issues a credential. Access is decided as for a connecting client, and again at each use. If an approval
   * is needed, the first call requests it, and a call after the approval returns the credential.
   * @throws AppError `not_found`, `forbidden`; `unprocessable` for connections whose clients use no
   * credentials, beyond the limits of the rules, or without a required reason; `conflict` outside the hours
   * of an approval.
   */
  async issue(change: Change, nameOrId: string, body: CredentialBody): Promise<IssuedCredentialView> {
    const decided = await this.decisions.byName(change.actor, nameOrId, 'connect');
    if (decided === undefined) throw connectionNotFound();
    const { target, decision } = decided;
    if (decision.kind === 'deny') throw new AppError('forbidden', decision.message);
    const way = this.endpointOf(target);
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
    // Without the encryption key of the connection's secret, the database name is unknown, and no client can
    // connect now. Return the connection's name instead, which clients may send once the key is available.
    const login = { username: head.id, password, database: target.databaseName() ?? target.name };
    return { ...head, expire_at, connection_credentials: clientView(way, login) };
  }

  /** Issues a credential that needs no approval. */
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

  private endpointOf({ subtype }: Target): OpenEndpoint {
    const endpoint = targetKind(subtype)?.client;
    if (endpoint?.at !== 'port') {
      const served = targetKinds.filter(({ client }) => client?.at === 'port').map((kind) => kind.subtype);
      const sentence = `credentials are issued for ${served.join(' and ')} connections only`;
      throw new AppError('unprocessable', sentence);
    }
    const port = endpoint.port(this.settings);
    if (port.port === 0)
      throw new AppError('unprocessable', `this gateway does not listen for ${endpoint.clients} clients`);
    return { endpoint, port };
  }
}

/** A client endpoint of a target kind, with the port on which this gateway listens for its clients. */
interface OpenEndpoint {
  readonly endpoint: PortEndpoint;
  readonly port: ClientPort;
}

function clientView({ endpoint, port }: OpenEndpoint, login: ClientLogin): ConnectionCredentialsView {
  return {
    hostname: port.host,
    port: port.port,
    username: login.username,
    password: login.password,
    database_name: login.database,
    connection_string: connectionString(endpoint, port, login),
  };
}
