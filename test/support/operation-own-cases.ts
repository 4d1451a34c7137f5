import { approve, approvedConnection, hoursFromNow } from './approved-access';
import { issue } from './credentials';
import { approve as approveScript } from './waiting-scripts';
import { heldElsewhere } from './feed';
import type { Answer } from './gateway';
import { denyWords } from './guardrails';
import { purgedElsewhere } from './retention';
import { withSettings } from './settings';
import { beginLogin, signInAt } from './login';
import type { Case } from './operation-cases';
import type { Operation } from './operations';
import { type World, asked } from './operation-world';

type Fault = object | ((world: World) => object | Promise<object>);

/** Sends the operation for an existing resource, with a body that is valid except for `fault`. */
const butFor =
  (fault: Fault): Case =>
  async (world, operation) => {
    const id = await world.make(operation);
    const change = typeof fault === 'function' ? await fault(world) : fault;
    return world.send(operation, { id, body: { ...world.body(operation.id, id), ...change } });
  };

/** Sends the operation to the resource with this id. */
const on =
  (id: string, body?: object): Case =>
  (world, operation) =>
    world.send(operation, { id, body });

const withQuery =
  (query: string): Case =>
  async (world, operation) =>
    world.send(operation, { id: await world.make(operation), query });

/** Sends the operation as an auditor, who may only read. */
const asAuditor: Case = async (world, operation) => {
  const id = await world.make(operation);
  return world.send(operation, { person: 'auditor', id, body: world.body(operation.id, id) });
};

/** Sends the same request twice. Returns the second answer. */
const again = async (world: World, operation: Operation, id: string): Promise<Answer> => {
  await world.send(operation, { id, body: world.body(operation.id, id) });
  return world.send(operation, { id, body: world.body(operation.id, id) });
};

/** Creates a connection to an MCP server at which people sign in with OAuth. */
const oauthConnection = async (world: World): Promise<string> => {
  const name = world.fresh();
  await world.gateway.call('admin', 'POST', '/connections', {
    name,
    type: 'application',
    subtype: 'mcpproxy',
    secret: { REMOTE_URL: 'https://mcp.example.com/mcp', MCP_AUTH: 'oauth' },
  });
  return name;
};

/** The last active admin, who cannot be removed. */
const LAST_ADMIN = 'admin';
const LONG = 'x'.repeat(5_000);

/** Cases of single operations, by `<operationId> <status>`. */
export const ownCases: Readonly<Record<string, Case>> = {
  'login 400': withQuery('?redirect=a&redirect=b'),
  'login 422': withQuery('?redirect=https://elsewhere.example.com/'),
  'login 429': async (world, operation) => {
    await world.send(operation, { gateway: world.strict });
    return world.send(operation, { gateway: world.strict });
  },
  'callback 307': async ({ gateway }) => signInAt(gateway, await beginLogin(gateway), 'alice'),
  'callback 400': withQuery('?state=of-nobody&code=1'),
  'callback 429': async (world, operation) => {
    await world.send(operation, { gateway: world.strict });
    return world.send(operation, { gateway: world.strict });
  },

  'endPortalSession 401': async (world, operation) =>
    world.send(operation, {
      headers: { cookie: `gateway=${'x'.repeat(43)}`, 'sec-fetch-site': 'cross-site' },
    }),

  'createGuardRail 422': butFor({ input: denyWords([]) }),
  'updateGuardRail 409': butFor(async (world) => {
    const other = world.body('createGuardRail');
    return (await world.gateway.call('admin', 'POST', '/guardrails', other)).body;
  }),
  'updateGuardRail 422': butFor({ input: denyWords([]) }),
  'dryRunGuardRails 422': butFor({ rule: undefined }),

  'checkScript 403': asAuditor,
  'listTables 403': asAuditor,
  'listTables 422': async (world, operation) => world.send(operation, { id: await oauthConnection(world) }),
  'checkScript 422': butFor({ script: 'a\0b' }),

  'createAccessRequestRule 422': butFor({ reviewers_groups: [] }),
  'updateAccessRequestRule 422': butFor({ reviewers_groups: [] }),

  'createConnection 422': butFor({ secret: {} }),
  'updateConnection 422': butFor({ name: 'another-name' }),
  'patchConnection 422': butFor({ name: 'another-name' }),
  'createConnectionCredential 202': async (world, operation) =>
    world.send(operation, { person: 'alice', id: await approvedConnection(world.path), body: {} }),
  'createConnectionCredential 409': async (world, operation) => {
    const id = await approvedConnection(world.path);
    const { body } = await issue(world.gateway, 'alice', {}, id);
    await approve(world.gateway, body.id, { time_window: hoursFromNow(120, 180) });
    return world.send(operation, { person: 'alice', id, body: {} });
  },
  'createConnectionCredential 403': asAuditor,
  'createConnectionCredential 422': butFor({ access_duration_seconds: 59 }),
  'revokeConnectionCredential 403': asAuditor,
  'getEffectivePolicy 200': withQuery('?user=alice'),
  'getEffectivePolicy 400': withQuery('?user='),
  'getEffectivePolicy 403': (world, operation) =>
    world.send(operation, { person: 'alice', id: 'orders', query: '?user=bob' }),
  'getEffectivePolicy 422': withQuery('?user=alice&verb=fly'),
  'getEffectivePolicy 404': withQuery('?user=of-nobody'),
  'getEffectivePolicy 409': ofSharedAddress,

  'acceptMcpTool 200': async (world, operation) => {
    const id = await world.make(operation);
    const { headers } = await world.gateway.call('admin', 'GET', `/connections/orders/mcp-tools/${id}`);
    return world.send(operation, { id, headers: { 'if-match': headers.get('etag') ?? '' } });
  },
  'connectMcpAccount 200': async (world, operation) =>
    world.send(operation, { id: await oauthConnection(world) }),
  'connectMcpAccount 403': asAuditor,
  'connectMcpAccount 404': on('of-nobody'),
  'connectMcpAccount 422': on('orders'),
  'listMcpAuthorizations 403': (world, operation) =>
    world.send(operation, { person: 'alice', query: '?user=bob@example.com' }),
  'listMcpAuthorizations 404': withQuery('?user=nobody@example.com'),
  'listMcpAuthorizations 409': ofSharedAddress,
  'revokeMcpAuthorization 403': asAuditor,
  'listSshPublicKeys 403': (world, operation) =>
    world.send(operation, { person: 'alice', query: '?user=bob@example.com' }),
  'listSshPublicKeys 404': withQuery('?user=nobody@example.com'),
  'listSshPublicKeys 409': ofSharedAddress,
  'createSshPublicKey 403': asAuditor,
  'createSshPublicKey 422': butFor({ public_key: 'ssh-dss AAAA' }),
  'deleteSshPublicKey 403': asAuditor,
  'disconnectMcpAccount 204': async (world, operation) =>
    world.send(operation, { id: await oauthConnection(world) }),
  'disconnectMcpAccount 403': asAuditor,
  'disconnectMcpAccount 404': on('of-nobody'),
  'disconnectMcpAccount 422': on('orders'),
  'createAttribute 422': butFor({ name: '' }),
  'updateAttribute 422': butFor({ description: LONG }),
  'deleteAttribute 409': async (world, operation) => {
    const name = world.fresh();
    const rule = { ...world.body('createAccessRequestRule'), attributes: [name] };
    await world.gateway.call('admin', 'POST', '/access-requests/rules', rule);
    return world.send(operation, { id: name });
  },

  'createUser 422': butFor({ email: 'no address' }),
  'updateUser 409': on(LAST_ADMIN, { status: 'inactive' }),
  'updateUser 422': butFor({ name: '' }),
  'deleteUser 409': on(LAST_ADMIN),
  'createGroup 422': butFor({ name: '' }),
  'deleteGroup 409': on('admin'),
  'createApiKey 422': butFor({ expires_at: '2001-01-01T00:00:00Z' }),
  'createScimToken 422': butFor({ expires_at: '2001-01-01T00:00:00Z' }),

  'createSession 202': async (world, operation) => {
    await waiting(world);
    return world.send(operation, { body: { connection: 'reviewed', script: 'SELECT 1' } });
  },
  'createSession 403': async (world, operation) =>
    world.send(operation, { person: 'auditor', body: world.body(operation.id) }),
  'createSession 404': butFor({ connection: 'of-nobody' }),
  'createSession 422': butFor({ script: '' }),
  'execSession 200': async (world, operation) => world.send(operation, { id: await approved(world) }),
  'execSession 202': async (world, operation) => {
    const id = await approved(world, 'SELECT pg_sleep(3)');
    return withSettings(world.gateway, { scripts: { answerSeconds: 0.2 } }, () =>
      world.send(operation, { id }),
    );
  },
  'execSession 403': async (world, operation) =>
    world.send(operation, { person: 'bob', id: await approved(world) }),
  'execSession 409': async (world, operation) => world.send(operation, { id: await waiting(world) }),
  'execSession 422': butFor({ script: 'a\0b' }),
  'listSessions 400': withQuery('?no_such_filter=1'),
  'listSessions 403': (world, operation) =>
    world.send(operation, { person: 'alice', query: '?guardrail=by-name' }),
  'listSessions 422': withQuery('?limit=101'),
  'getSession 403': async (world, operation) => {
    const id = await waiting(world);
    return world.send(operation, { person: 'bob', id, query: '?expand=event_stream' });
  },
  'getSession 422': async (world, operation) => {
    const connection = world.fresh();
    await world.gateway.call('admin', 'POST', '/connections', {
      name: connection,
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/' },
    });
    const run = { connection, script: 'SELECT 1' };
    const { body } = await world.gateway.call('admin', 'POST', '/sessions', run);
    return world.send(operation, { id: body.session_id, query: '?event_stream=raw-queries' });
  },
  'verifySession 403': async (world, operation) =>
    world.send(operation, { person: 'bob', id: await waiting(world) }),
  // Limits the stream to 1 s, because otherwise it lasts as long as the client reads.
  'streamReviews 200': withQuery('?seconds=1'),
  'streamSession 204': async (world, operation) =>
    world.send(operation, { id: await world.make(operation), headers: { 'last-event-id': 'end' } }),
  'streamSession 403': async (world, operation) =>
    world.send(operation, { person: 'bob', id: await waiting(world) }),
  'listSessionCalls 403': async (world, operation) =>
    world.send(operation, { person: 'bob', id: await waiting(world) }),
  'killSession 202': async (world, operation) =>
    heldElsewhere(world.gateway, await waiting(world), (id) => world.send(operation, { id })),
  'killSession 204': async (world, operation) => world.send(operation, { id: await waiting(world) }),
  'killSession 403': asAuditor,
  'killSession 409': async (world, operation) => world.send(operation, { id: await world.make(operation) }),
  'createDownloadLink 403': async (world, operation) =>
    world.send(operation, { person: 'bob', id: await waiting(world), body: {} }),
  'createDownloadLink 422': butFor({ extension: '' }),
  'downloadSession 200': async (world, operation) => {
    const id = await world.make(operation);
    const link = await world.gateway.call('admin', 'POST', `/sessions/${id}/download-links`, {});
    const query = new URL(link.body.download_url as string).search;
    return world.send(operation, { person: null, id, query });
  },
  'downloadSession 429': async (world, operation) => {
    const wrong = { person: null, id: await waiting(world), query: '?token=wrong', gateway: world.strict };
    await world.send(operation, wrong);
    return world.send(operation, wrong);
  },
  'declareEmergency 403': asAuditor,
  'declareEmergency 409': async (world, operation) => again(world, operation, await world.make(operation)),
  'declareEmergency 422': butFor({ reason: '' }),
  'signOffReview 403': asAuditor,
  'signOffReview 409': async (world, operation) => again(world, operation, await world.make(operation)),
  'signOffReview 422': butFor({ comment: '' }),
  'updateReview 403': asAuditor,
  'updateReview 409': async (world, operation) => again(world, operation, await world.make(operation)),
  'updateReview 422': butFor({ status: 'PENDING' }),
  'updateSessionReview 200': async (world, operation) =>
    world.send(operation, { id: await waiting(world), body: world.body(operation.id) }),
  'updateSessionReview 403': asAuditor,
  'updateSessionReview 409': async (world, operation) => again(world, operation, await waiting(world)),
  'updateSessionReview 422': async (world, operation) =>
    world.send(operation, { id: await waiting(world), body: { status: 'PENDING' } }),
  'setSessionHold 409': async (world, operation) => {
    const id = await world.make(operation);
    await world.gateway.database.query(
      'UPDATE sessions SET recording_purged_at = now(), script = NULL WHERE id = $1',
      [id],
    );
    return world.send(operation, { id, body: world.body(operation.id, id) });
  },
  'setSessionHold 422': butFor({ reason: LONG }),
  'startRetentionRun 202': async (world, operation) => world.send(operation),
  'startRetentionRun 409': (world, operation) => purgedElsewhere(world.gateway, () => world.send(operation)),
  'createWebhook 422': butFor({ url: 'http://hooks.example.com/' }),
  'updateWebhook 422': butFor({ events: [] }),
  'rotateWebhookSecret 422': butFor({ secret: 'whsec_short' }),
  'testWebhook 202': async (world, operation) => world.send(operation, { id: await world.make(operation) }),
  'testWebhook 409': async (world, operation) => {
    const id = await world.make(operation);
    await world.gateway.call('admin', 'PUT', `/webhooks/${id}`, {
      ...world.body('updateWebhook'),
      enabled: false,
    });
    return world.send(operation, { id });
  },
  'replayWebhookDelivery 202': async (world, operation) =>
    world.send(operation, { id: await world.make(operation) }),
  'replayWebhookDelivery 409': async (world, operation) => {
    const id = await world.make(operation);
    await world.gateway.database.query(
      `UPDATE webhook_deliveries SET state = 'pending', finished_at = NULL WHERE id = $1`,
      [id],
    );
    return world.send(operation, { id });
  },
  'updateSessionMetadata 403': asAuditor,
  'updateSessionMetadata 422': butFor({ metadata: { long: LONG } }),
};

/** Sends a script as alice. The script waits for its review. Returns the session's id. */
async function waiting({ path }: World): Promise<string> {
  return (await asked(path)).sessionId;
}

/** Sends a script as alice and approves it. Returns the session's id. */
async function approved({ path }: World, script?: string): Promise<string> {
  const { sessionId, reviewId } = await asked(path, script);
  await approveScript(path.gateway, reviewId);
  return sessionId;
}

/** Sends the operation with an e-mail address that two users share. */
async function ofSharedAddress(world: World, operation: Operation): Promise<Answer> {
  const email = `${world.fresh()}@example.com`;
  for (const id of [world.fresh(), world.fresh()])
    await world.gateway.call('admin', 'POST', '/users', { id, email });
  return withQuery(`?user=${email}`)(world, operation);
}
