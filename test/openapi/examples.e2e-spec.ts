import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeScoped } from '../support/describe';
import { type World, asked, startWorld } from '../support/operation-world';
import { type Operation, operations } from '../support/operations';
import { connect } from '../support/target';
import { approvalsOn } from '../support/waiting-scripts';
import { ROOT } from '../support/root';

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};

const examples = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({ operationId, type, example })),
  );

/**
 * Functions that create the state that an example body needs, such as the resource that it names. Each
 * returns the name or ID for the path, or undefined if the test creates a new resource.
 */
const preconditions: Readonly<Record<string, (world: World) => Promise<string | undefined>>> = {
  createAttribute: gone('/attributes/pii'),
  createGroup: gone('/groups/dba'),
  createConnection: gone('/connections/pg-prod'),
  createAccessRequestRule: gone('/access-requests/rules/prod-databases'),
  createSession: async ({ gateway, path }) => {
    await connect(gateway, path.target, 'demo');
    return undefined;
  },
  updateConnection: prodConnection,
  patchConnection: prodConnection,
  updateAccessRequestRule: async (world) => {
    await gone('/access-requests/rules/prod-databases')(world);
    const rule = { ...world.body('createAccessRequestRule'), name: 'prod-databases' };
    await world.gateway.call('admin', 'POST', '/access-requests/rules', rule);
    return rule.name;
  },
  updateGuardRail: async ({ gateway }) => {
    const { body } = await gateway.call('admin', 'GET', '/guardrails');
    return (body.data as { id: string; name: string }[]).find(({ name }) => name === 'no-drops')?.id;
  },
  execSession: async ({ path }) => {
    const approvals = approvalsOn(path);
    return (await approvals.approved('SELECT 1', await approvals.reviewed())).id;
  },
  updateReview: async (world) => (await asked(world.path)).reviewId,
  updateSessionReview: async (world) => (await asked(world.path)).sessionId,
};

/** A person in the group whose approval the reviews need. */
const REVIEWER = 'bob';

describeScoped('the examples of bodies', (begin) => {
  const world = begin(startWorld);

  beforeAll(async () => {});

  it.each(examples)('$operationId accepts its example ($type)', async ({ operationId, type, example }) => {
    const operation = operations.find(({ id }) => id === operationId) as Operation;
    const id = (await preconditions[operationId]?.(world)) ?? (await world.make(operation));
    const answer = await world.send(operation, {
      id,
      person: /^update\w*Review$/.test(operationId) ? REVIEWER : 'admin',
      body: example,
      headers: { 'content-type': type },
    });
    expect(`${answer.status} ${answer.status < 300 ? '' : answer.text}`).toMatch(/^2\d\d $/);
  });
});

/** Returns a function that deletes the resource, because an earlier example may have created it. */
function gone(path: string): (world: World) => Promise<undefined> {
  return async ({ gateway }) => {
    await gateway.call('admin', 'DELETE', path);
    return undefined;
  };
}

/** Returns the name of the connection in the example, and creates the connection if it is missing. */
async function prodConnection({ gateway, path }: World): Promise<string> {
  const { status } = await gateway.call('admin', 'GET', '/connections/pg-prod');
  if (status === 404) await connect(gateway, path.target, 'pg-prod');
  return 'pg-prod';
}
