import { TargetDirectory } from '../../src/gate/ports/target-directory';
import { ToolRegistry } from '../../src/gate/ports/tool-registry';
import { type DataPath, startDataPath } from './data-path';
import { type Answer, type Person, type TestGateway, startGateway } from './gateway';
import { denyWords } from './guardrails';
import { type Operation, isPaged, pathOf } from './operations';
import { freshEd25519 } from './ssh/public-keys';
import { secretOf } from './target';
import { allow, makeMcpConnection, registerClient } from './mcp-sign-in';

/** A gateway with a resource of each kind, for the test cases of API operations. */
export interface World {
  readonly path: DataPath;
  readonly gateway: TestGateway;
  /** Another gateway on the same database, with the lowest limits. */
  readonly strict: TestGateway;
  /** Returns a name that no resource has. */
  fresh(): string;
  /** Returns a valid body of the operation for the resource with this id; undefined if it needs no body. */
  body(operation: string, id?: string): object | undefined;
  /** Creates the resource in the operation's path. Returns its id or name; empty for a path without one. */
  make(operation: Operation): Promise<string>;
  send(operation: Operation, request?: Request): Promise<Answer>;
  close(): Promise<void>;
}

interface Request {
  /** The gateway to which the request is sent; default: the gateway with high limits. */
  gateway?: TestGateway;
  person?: Person | null;
  id?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export async function startWorld(): Promise<World> {
  const path = await startDataPath();
  const { gateway } = path;
  const strict = await startGateway({
    beside: gateway,
    environment: { LOGINS_PER_MINUTE: '1', FAILED_CREDENTIALS_PER_MINUTE: '1' },
  });
  await Promise.all((['auditor', 'alice', 'bob'] as const).map((it) => gateway.call(it, 'GET', '/userinfo')));
  let count = 0;
  const fresh = () => `thing-${++count}`;
  const bodyOf = bodies(path, fresh);
  const create = async (collection: string, operation: string, key = 'id'): Promise<string> => {
    const answer = await gateway.call('admin', 'POST', collection, bodyOf(operation));
    if (answer.status >= 300) throw new Error(`POST ${collection}: ${answer.text}`);
    return answer.body[key] as string;
  };
  const makers: Record<string, () => Promise<string>> = {
    '/guardrails/{id}': () => create('/guardrails', 'createGuardRail'),
    '/access-requests/rules/{name}': () =>
      create('/access-requests/rules', 'createAccessRequestRule', 'name'),
    '/connections/{nameOrID}': () => create('/connections', 'createConnection', 'name'),
    '/connections/{nameOrID}/credentials/{id}': () =>
      create('/connections/orders/credentials', 'createConnectionCredential'),
    '/connections/{nameOrID}/mcp-tools/{tool}': () => listTool(path, fresh()),
    '/mcp-authorizations/{id}': () => authorizeClient(path, fresh()),
    '/attributes/{name}': () => create('/attributes', 'createAttribute', 'name'),
    '/users/{id}': () => create('/users', 'createUser'),
    '/groups/{name}': () => create('/groups', 'createGroup', 'name'),
    '/api-keys/{id}': () => create('/api-keys', 'createApiKey'),
    '/ssh-public-keys/{id}': () => create('/ssh-public-keys', 'createSshPublicKey'),
    '/scim-tokens/{id}': () => create('/scim-tokens', 'createScimToken'),
    '/reviews/{id}': async () => (await asked(path)).reviewId,
    '/sessions/{session_id}': () => create('/sessions', 'createSession', 'session_id'),
    '/webhooks/{id}': () => create('/webhooks', 'createWebhook'),
    '/webhooks/{id}/deliveries/{deliveryId}': () => deliver(gateway, webhook),
  };
  // The function `deliver` creates its deliveries for this webhook.
  const webhook = await create('/webhooks', 'createWebhook');
  const session = await create('/sessions', 'createSession', 'session_id');
  /** Returns the id or name of the resource that owns the listed resources; undefined if there is none. */
  const within = (operation: Operation): string | undefined => {
    if (operation.path.startsWith('/webhooks')) return webhook;
    if (!isPaged(operation)) return undefined;
    if (operation.path.startsWith('/sessions/{')) return session;
    return operation.path.startsWith('/connections/{') ? 'orders' : undefined;
  };
  return {
    path,
    gateway,
    strict,
    fresh,
    body: bodyOf,
    make: async (operation) => {
      const resource = /^.*\{\w+\}/.exec(operation.path)?.[0];
      if (resource === undefined) return '';
      if (operation.id === 'signOffReview') return forcedReview(path);
      if (operation.id === 'declareEmergency') return urgentReview(path);
      const make = makers[resource];
      if (make === undefined) throw new Error(`test/support/operation-world.ts cannot make a ${resource}`);
      return make();
    },
    send: (operation, { gateway: to = gateway, person = 'admin', id, query = '', body, headers } = {}) =>
      to.call(
        person,
        operation.method,
        `${pathOf(operation, id ?? within(operation), within(operation))}${query}`,
        body,
        headers,
      ),
    close: async () => {
      await strict.close();
      await path.close();
    },
  };
}

/** Sends a script as alice, on a connection where the group `dba` must approve each script. */
export async function asked(
  path: DataPath,
  script = 'SELECT 1',
): Promise<{ sessionId: string; reviewId: string }> {
  const { gateway } = path;
  const known = await gateway.call('admin', 'GET', '/connections/reviewed');
  if (known.status !== 200) {
    await path.connect('reviewed');
    await gateway.call('admin', 'POST', '/access-requests/rules', {
      name: 'reviewed',
      access_type: 'command',
      reviewers_groups: ['dba'],
      force_approval_groups: ['dba'],
      min_approvals: 1,
      connection_names: ['reviewed'],
    });
  }
  const run = { connection: 'reviewed', script };
  const { body } = await gateway.call('alice', 'POST', '/sessions', run);
  return { sessionId: body.session_id as string, reviewId: body.review_id as string };
}

/** Creates a review. Bob forces its approval, and then revokes it. Returns the review's id. */
async function forcedReview(path: DataPath): Promise<string> {
  const { reviewId } = await asked(path);
  const said = { status: 'APPROVED', force_review: true, force_reason: 'urgent' };
  await path.gateway.call('bob', 'PUT', `/reviews/${reviewId}`, said);
  await path.gateway.call('bob', 'PUT', `/reviews/${reviewId}`, { status: 'REVOKED' });
  return reviewId;
}

/** Creates a review of an admin's script, on a connection where admins may declare an emergency. */
async function urgentReview(path: DataPath): Promise<string> {
  await asked(path);
  const groups = { emergency_access_groups: ['admin'] };
  await path.gateway.call('admin', 'PATCH', '/connections/reviewed', groups);
  const run = { connection: 'reviewed', script: 'SELECT 1' };
  const { body } = await path.gateway.call('admin', 'POST', '/sessions', run);
  return body.review_id as string;
}

/** Lets alice authorize an MCP client. Returns the id of the authorization. */
async function authorizeClient({ gateway }: DataPath, connection: string): Promise<string> {
  await makeMcpConnection(gateway, connection);
  await allow(gateway, await registerClient(gateway), connection, 'alice');
  const { body } = await gateway.call('alice', 'GET', '/mcp-authorizations');
  return (
    (body.data as { id: string; connection: string }[]).find((one) => one.connection === connection)?.id ?? ''
  );
}

/** Stores a tool as if the server of `orders` had listed it. Returns the tool's name. */
async function listTool({ gateway, connectionId }: DataPath, name: string): Promise<string> {
  const { body } = await gateway.call('admin', 'GET', '/connections/orders');
  const target = await gateway.app
    .get(TargetDirectory, { strict: false })
    .known(body.org_id as string, connectionId);
  if (target !== undefined) await gateway.app.get(ToolRegistry, { strict: false }).listed(target, [{ name }]);
  return name;
}

/** Returns a function that returns a valid body for each operation with a body. */
function bodies(path: DataPath, fresh: () => string): (operation: string, id?: string) => object | undefined {
  const secret = secretOf(path.target);
  const guardrail = () => ({ name: fresh(), input: denyWords(['DROP TABLE']) });
  const accessRule = () => ({
    name: fresh(),
    access_type: 'command',
    reviewers_groups: ['dba'],
    min_approvals: 1,
    attributes: [fresh()],
  });
  const webhook = () => ({ url: 'https://192.0.2.1/hook', events: ['session.ended'], description: fresh() });
  const known: Record<string, (id: string) => object> = {
    createGuardRail: guardrail,
    updateGuardRail: guardrail,
    dryRunGuardRails: () => ({ rule: guardrail(), direction: 'input', text: 'SELECT 1' }),
    checkScript: () => ({ script: 'SELECT 1' }),
    createAccessRequestRule: accessRule,
    updateAccessRequestRule: accessRule,
    createConnection: () => ({ name: fresh(), type: 'database', subtype: 'postgres', secret }),
    updateConnection: (name) => ({ name, type: 'database', subtype: 'postgres', secret }),
    patchConnection: () => ({ description: fresh() }),
    createConnectionCredential: () => ({ access_duration_seconds: 600 }),
    createAttribute: () => ({ name: fresh() }),
    updateAttribute: () => ({ description: fresh() }),
    createUser: () => ({ id: fresh(), email: `${fresh()}@example.com` }),
    updateUser: () => ({ name: fresh() }),
    createGroup: () => ({ name: fresh() }),
    createApiKey: () => ({ name: fresh() }),
    createSshPublicKey: () => ({ name: fresh(), public_key: freshEd25519().line }),
    createScimToken: () => ({ name: fresh() }),
    updateOrganization: () => ({ features: { review: true } }),
    createSession: () => ({ connection: 'orders', script: 'SELECT 1' }),
    updateSessionMetadata: () => ({ metadata: { [fresh()]: 'value', ticket: null } }),
    createDownloadLink: () => ({ extension: 'csv' }),
    updateReview: () => ({ status: 'REVOKED' }),
    declareEmergency: () => ({ reason: 'the site is down' }),
    signOffReview: () => ({ comment: 'looked at' }),
    updateSessionReview: () => ({ status: 'REVOKED' }),
    setSessionHold: () => ({ held: true, reason: fresh() }),
    createWebhook: webhook,
    updateWebhook: webhook,
    rotateWebhookSecret: () => ({}),
  };
  return (operation, id = '') => known[operation]?.(id);
}

/** Stores a finished delivery of the webhook. Returns the delivery's id. */
async function deliver({ database }: TestGateway, webhookId: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `WITH event AS (
       INSERT INTO outbox (org_id, type, subject, data)
       SELECT org_id, 'webhook.test', gen_random_uuid(), '{}' FROM webhooks WHERE id = $1 RETURNING *)
     INSERT INTO webhook_deliveries (org_id, webhook_id, event_id, event_type, subject, position, state, finished_at)
     SELECT org_id, $1, id, type, subject, position, 'dead', now() FROM event RETURNING id`,
    [webhookId],
  );
  return row?.id ?? '';
}
