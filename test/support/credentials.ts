import { Gate } from '../../src/gate/gate';
import type { Session } from '../../src/gate/session';
import { type IssuedCredential, IssuedCredentials } from '../../src/gate/ports/issued-credentials';
import { as } from './callers';
import type { Answer, Person, TestGateway } from './gateway';

/** A person of the development identity provider, or the owner of this API key. */
export type Caller = Person | { readonly key: string };

export function ask(
  gateway: TestGateway,
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return typeof caller === 'string'
    ? gateway.call(caller, method, path, body)
    : as(gateway, caller.key, method, path, body);
}

export function issue(
  gateway: TestGateway,
  caller: Caller = 'alice',
  body: unknown = {},
  connection = 'orders',
): Promise<Answer> {
  return ask(gateway, caller, 'POST', `/connections/${connection}/credentials`, body);
}

export function revoke(
  gateway: TestGateway,
  caller: Caller,
  id: string,
  connection = 'orders',
): Promise<Answer> {
  return ask(gateway, caller, 'POST', `/connections/${connection}/credentials/${id}/revoke`);
}

/** Finds a credential in the same way as the PostgreSQL port at a sign-in. */
export function find(gateway: TestGateway, id: string): Promise<IssuedCredential | undefined> {
  return gateway.app.get(IssuedCredentials, { strict: false }).find(id);
}

/** Opens a session in the same way as the PostgreSQL port after a correct password. */
export function enter(
  gateway: TestGateway,
  { principal, connectionId, id, expiresAt }: IssuedCredential,
  until: Date | null = expiresAt,
): Promise<Session> {
  return gateway.app.get(Gate, { strict: false }).enter(principal, {
    connection: connectionId,
    verb: 'connect',
    script: null,
    labels: {},
    metadata: {},
    batchId: null,
    correlationId: null,
    reason: null,
    credentialId: id,
    until,
  });
}

/**
 * Stores a copy of the credential that was issued earlier by `age`, because an issued credential cannot be
 * changed. Returns the id of the copy.
 */
export async function aged(gateway: TestGateway, id: string, age: string): Promise<string> {
  const [row] = await gateway.database.query<{ id: string }>(
    `INSERT INTO connection_credentials
       (org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key, created_at, expire_at)
     SELECT org_id, connection_id, identity_type, user_id, iterations, salt, stored_key, server_key,
       created_at - $2::interval, expire_at - $2::interval
     FROM connection_credentials WHERE id = $1 RETURNING id`,
    [id, age],
  );
  if (row === undefined) throw new Error(`there is no credential ${id}`);
  return row.id;
}
