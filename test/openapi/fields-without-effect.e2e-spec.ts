import { fieldsWithoutEffect, ignoredFieldsOf } from '../../src/platform/http/body/field-marks';
import { fieldsOfDto } from '../../src/platform/http/dto/dto-fields';
import { describeScoped } from '../support/describe';
import { type BodyRoute, bodyRoutes } from '../support/body-routes';
import { startWorld } from '../support/operation-world';
import { operations } from '../support/operations';

/** Fields of every resource. No client expects that it can set them. */
const IDENTITY = new Set(['id', 'org_id', 'created_at']);

/** Fields in bodies that have no effect: answers contain them, or the client gets a warning. */
describeScoped('fields of bodies that change nothing', (begin) => {
  const world = begin(startWorld);
  let routes: BodyRoute[];

  beforeAll(async () => {
    routes = bodyRoutes(world.gateway.app);
  });

  /** Non-empty values of each JSON type, because an empty value requests no effect. */
  const WORDS = [true, 'something', 1, ['something'], { any: 'thing' }];

  it('were found', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ body }) => ignoredFieldsOf(body).size > 0).length).toBeGreaterThan(10);
  });

  it('accepted silently are the resource’s read-only fields', () => {
    const strange = routes.flatMap(({ operationId, body, shown }) =>
      [...ignoredFieldsOf(body)]
        .filter((field) => !shown.has(field) && !IDENTITY.has(field))
        .map((field) => `${operationId}: ${field} is in no answer, and nobody is told that it has no effect`),
    );
    expect(strange).toEqual([]);
  });

  // promises: HTTP-22
  it('that the resource lacks cause warnings on every route that accepts them', async () => {
    const warning = routes.filter(({ body }) => fieldsWithoutEffect(body).size > 0);
    expect(warning.map(({ operationId }) => operationId).sort()).toEqual([
      'createConnection',
      'patchConnection',
      'updateConnection',
    ]);
    for (const { operationId, body, answered } of warning) {
      expect(answered).toContain('warnings');
      const operation = operations.find(({ id }) => id === operationId);
      if (operation === undefined) throw new Error(`${operationId} is not described`);
      const names = [...fieldsWithoutEffect(body).keys()];
      expect(names.filter((name) => fieldsOfDto(body).has(name) || answered.has(name))).toEqual([]);
      const send = async (fields: object): Promise<string[]> => {
        const id = await world.make(operation);
        const sound = operation.method === 'PATCH' ? {} : world.body(operationId, id);
        const answer = await world.send(operation, { id, body: { ...sound, ...fields } });
        expect(`${answer.status} ${answer.status < 300 ? '' : answer.text}`).toMatch(/^2\d\d $/);
        const isOfThese = (text: string): boolean => names.some((name) => text.startsWith(`${name} `));
        return (answer.body.warnings as string[]).filter(isOfThese);
      };
      for (const word of WORDS) {
        const told = await send(Object.fromEntries(names.map((name) => [name, word])));
        expect(told.map((text) => text.split(' ')[0])).toEqual(names);
        // Each warning states what has the effect instead.
        for (const text of told) expect(text).toMatch(/^\w+ has no effect here: \w.{20}/);
      }
      const nothing = [null, false, '', 0, [], {}];
      for (const word of nothing)
        expect(await send(Object.fromEntries(names.map((name) => [name, word])))).toEqual([]);
    }
  });

  it('are no secrets: where a webhook keeps its secret, another one is refused', async () => {
    const { body } = await world.gateway.call('admin', 'POST', '/webhooks', world.body('createWebhook'));
    const put = (secret?: string) =>
      world.gateway.call('admin', 'PUT', `/webhooks/${body.id}`, { ...world.body('updateWebhook'), secret });
    expect([(await put()).status, (await put(body.secret)).status]).toEqual([200, 200]);
    for (const secret of ['', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
      const answer = await put(secret);
      expect([answer.status, answer.body.message]).toEqual([
        422,
        'secret cannot be changed here; use POST /webhooks/{id}/rotate-secret',
      ]);
    }
  });
});
