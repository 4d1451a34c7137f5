import type { Answer } from './gateway';
import { ownCases } from './operation-own-cases';
import type { World } from './operation-world';
import { type Operation, isPaged, pathOf } from './operations';

/** Calls the operation so that it answers with one of its documented statuses. */
export type Case = (world: World, operation: Operation) => Promise<Answer>;

/** A UUID that no resource has as its id or name. */
const NOTHING = '00000000-0000-4000-8000-000000000000';

/** Returns the case that makes the operation answer with the status; undefined if there is none. */
export function caseFor(operation: Operation, status: string): Case | undefined {
  return ownCases[`${operation.id} ${status}`] ?? generic[status]?.(operation);
}

const succeed: Case = async (world, operation) => {
  const id = await world.make(operation);
  return world.send(operation, { id, body: world.body(operation.id, id) });
};

const onNothing: Case = (world, operation) =>
  world.send(operation, { id: NOTHING, body: world.body(operation.id, NOTHING) });

/** Cases by HTTP status, for all operations. `ownCases` has the exceptions of single operations. */
const generic: Readonly<Record<string, (operation: Operation) => Case | undefined>> = {
  200: () => succeed,
  201: () => succeed,
  204: () => succeed,
  400: malformed,
  401: () => (world, operation) =>
    world.send(operation, { person: null, id: NOTHING, body: world.body(operation.id, NOTHING) }),
  403: () => (world, operation) =>
    world.send(operation, { person: 'alice', id: NOTHING, body: world.body(operation.id, NOTHING) }),
  404: ({ path }) => (path.includes('{') ? onNothing : undefined),
  405: () => (world, operation) => world.gateway.call('admin', 'OPTIONS', pathOf(operation, NOTHING)),
  409: ({ method, path }) => (method === 'POST' && !path.includes('{') ? twice : undefined),
  412: () => async (world, operation) => {
    const id = await world.make(operation);
    const body = world.body(operation.id, id);
    return world.send(operation, { id, body, headers: { 'if-match': '"999"' } });
  },
  413: () => (world, operation) =>
    world.send(operation, { id: NOTHING, body: { name: 'x'.repeat(1024 * 1024) } }),
  415: () => (world, operation) =>
    world.send(operation, { id: NOTHING, body: '{}', headers: { 'content-type': 'text/plain' } }),
  429: () => async (world, operation) => {
    const bad = { person: null, id: NOTHING, headers: { authorization: 'Bearer of-nobody' } };
    await world.send(operation, { ...bad, gateway: world.strict });
    return world.send(operation, { ...bad, gateway: world.strict });
  },
};

const twice: Case = async (world, operation) => {
  const body = world.body(operation.id);
  await world.send(operation, { body });
  return world.send(operation, { body });
};

/** Returns a case with an unknown field or parameter, a page size above the limit, or an invalid id. */
function malformed(operation: Operation): Case | undefined {
  if (operation.hasBody) {
    return async (world) => {
      const id = await world.make(operation);
      return world.send(operation, { id, body: { ...world.body(operation.id, id), no_such_field: 1 } });
    };
  }
  if (isPaged(operation)) return (world) => world.send(operation, { query: '?page_size=1001' });
  const [named] = operation.parameters.filter((parameter) => parameter.in === 'path');
  if (named === undefined) return (world) => world.send(operation, { query: '?no_such_parameter=1' });
  const id = named.schema.format === 'uuid' ? 'not-a-uuid' : '%E0%A4%A';
  return (world) => world.gateway.call('admin', operation.method, operation.path.replace(/\{\w+\}/, id));
}
