import { startWorld } from '../operation-world';
import type { TestGateway } from '../gateway';
import { operations } from '../operations';

/** A gateway whose data fill every screen of the portal. */
export interface Furnished {
  readonly gateway: TestGateway;
  /** Addresses for each path of the portal's router that has parameters. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Texts that regular users must not see, on whatever screen. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts the gateway and creates its data. Alice has requested a review that bob may decide, bob has forced
 * another review, and alice has run a script. Only auditors and admins may see the other data.
 */
export async function startFurnished(): Promise<Furnished> {
  const world = await startWorld();
  const { gateway } = world;
  const make = async (operationId: string): Promise<string> => {
    const operation = operations.find(({ id }) => id === operationId);
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
    return world.make(operation);
  };
  const review = await make('getReview');
  await make('signOffReview');
  const run = await gateway.call('alice', 'POST', '/sessions', {
    connection: 'orders',
    script: 'SELECT 1 AS one',
  });
  const CANARY = 'canary-of-the-admin';
  await gateway.call('admin', 'POST', '/sessions', { connection: 'orders', script: `SELECT '${CANARY}'` });
  await gateway.call('admin', 'POST', '/groups', { name: 'empty group' });
  await make('getApiKey');
  await make('revokeConnectionCredential');
  await make('revokeMcpAuthorization');
  await make('getSshPublicKey');
  const { body: webhooks } = await gateway.call('admin', 'GET', '/webhooks');
  const addresses = {
    '/connections/$name': '/connections/orders',
    '/connections/$name/tools': '/connections/orders/tools',
    '/connections/$name/tools/$tool': `/connections/orders/tools/${await make('getMcpTool')}`,
    '/reviews/$id': `/reviews/${review}`,
    '/sessions/$id': `/sessions/${run.body.session_id as string}`,
    '/users/$id': '/users/alice',
    '/webhooks/$id': `/webhooks/${webhooks.data[0].id as string}`,
    '/admin-connections/$name': '/admin-connections/orders',
    '/guardrails/$id': `/guardrails/${await make('getGuardRail')}`,
    '/access-rules/$name': `/access-rules/${await make('getAccessRequestRule')}`,
  };
  const secrets = [
    CANARY,
    '192.0.2.1',
    'DROP TABLE',
    'empty group',
    'auditor@example.com',
    addresses['/guardrails/$id'].split('/')[2] ?? '',
    addresses['/webhooks/$id'].split('/')[2] ?? '',
  ];
  return { gateway, addresses, secrets, close: () => world.close() };
}
