import * as fc from '../support/fast-check';
import { describeDataPath } from '../support/describe';
import { createRule, denyWords } from '../support/guardrails';
import type { Answer } from '../support/gateway';

/** Several admins, and their scripts, change objects at the same time. */
describeDataPath('administration by many at once', ({ path }) => {
  let count = 0;

  beforeAll(async () => {
    await path.gateway.call('admin', 'GET', '/userinfo');
  });

  const admin = (method: string, to: string, body?: object, headers?: Record<string, string>) =>
    path.gateway.call('admin', method, to, body, headers);
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
  const parallel = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: n }, (_, i) => work(i)));

  /** Resources with versions: the path of each, and a body with a `description`. */
  const kinds = {
    guardrails: async () => {
      const body = { name: `rule-${++count}`, input: denyWords(['x']) };
      return { at: `/guardrails/${await createRule(path.gateway, body)}`, body };
    },
    'access-requests/rules': async () => {
      const name = `rule-${++count}`;
      const body = {
        name,
        access_type: 'jit',
        reviewers_groups: ['dba'],
        min_approvals: 1,
        connection_names: [name],
      };
      await admin('POST', '/access-requests/rules', body);
      return { at: `/access-requests/rules/${name}`, body };
    },
    connections: async () => {
      const secret = { HOST: 'db', USER: 'app', DB: 'orders' };
      const body = { name: `connection-${++count}`, type: 'database', subtype: 'postgres', secret };
      await admin('POST', '/connections', body);
      return { at: `/connections/${body.name}`, body };
    },
  };

  it.each(Object.entries(kinds))(
    '%s: of racing updates of one version exactly one wins',
    async (_, create) => {
      const { at, body } = await create();
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 6 }), async (racers) => {
          const etag = (await admin('GET', at)).headers.get('etag') ?? '';
          const answers = await parallel(racers, (i) =>
            admin('PUT', at, { ...body, description: `${etag} ${i}` }, { 'if-match': etag }),
          );
          const won = answers.filter(({ status }) => status === 200);
          expect(statuses(answers).filter((status) => status !== 200)).toEqual(Array(racers - 1).fill(412));
          const now = await admin('GET', at);
          expect(now.body.description).toBe(won[0]?.body.description);
          expect(now.headers.get('etag')).toBe(won[0]?.headers.get('etag'));
          expect(now.headers.get('etag')).not.toBe(etag);
        }),
        { numRuns: 4 },
      );
    },
  );

  it.each(Object.entries(kinds))(
    '%s: without If-Match, and with *, the last write wins',
    async (_, create) => {
      const { at, body } = await create();
      const answers = await parallel(4, (i) =>
        admin('PUT', at, { ...body, description: `${i}` }, i % 2 === 0 ? {} : { 'if-match': '*' }),
      );
      expect(statuses(answers)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(4);
      for (const stale of ['"1"', 'W/"5"', '5', '""', '"1", "2"']) {
        const answer = await admin('PUT', at, body, { 'if-match': stale });
        expect([stale, answer.status, answer.body.message]).toEqual([
          stale,
          412,
          'the resource has changed since you read it; read it again',
        ]);
        expect((await admin('DELETE', at, undefined, { 'if-match': stale })).status).toBe(412);
      }
      const { headers } = await admin('GET', at);
      const listed = `"1", ${headers.get('etag')}`;
      expect((await admin('DELETE', at, undefined, { 'if-match': listed })).status).toBe(204);
      expect((await admin('GET', at)).status).toBe(404);
      expect((await admin('PUT', at, body)).status).toBe(404);
      expect((await admin('DELETE', at)).status).toBe(404);
    },
  );

  it('writes of all kinds at once end in no deadlock, and leave one valid chain', async () => {
    const connection = await kinds.connections();
    const { id: connectionId } = (await admin('GET', connection.at)).body;
    const rule = await kinds.guardrails();
    const accessRule = await kinds['access-requests/rules']();
    const work: ((i: number) => Promise<Answer>)[] = [
      (i) => admin('PUT', rule.at, { ...rule.body, description: `${i}`, connection_ids: [connectionId] }),
      (i) => admin('PATCH', connection.at, { description: `${i}`, guardrail_rules: [rule.at.split('/')[2]] }),
      (i) => admin('PUT', accessRule.at, { ...accessRule.body, description: `${i}` }),
      (i) => admin('PATCH', '/users/admin', { name: `Admin ${i}` }),
      () => admin('PATCH', '/organization', { features: { review: true } }),
      (i) => admin('POST', '/attributes', { name: `attribute-${i}` }),
      () => admin('POST', '/attributes', {}),
      () => path.gateway.call('alice', 'POST', '/attributes', {}),
      () => path.run('SELECT 1'),
    ];
    const answers = await parallel(90, (i) => work[i % work.length]!(i));
    expect(answers.map((a, i) => [i % 9, a.status]).filter(([, s]) => s! >= 500)).toEqual([]);
    expect((await admin('GET', '/audit/verify')).body).toMatchObject({ valid: true });
  });

  it('one name is given once, and the losers leave nothing behind', async () => {
    const answers = await parallel(6, () =>
      admin('POST', '/guardrails', { name: 'once', attributes: ['o'] }),
    );
    expect(statuses(answers).sort((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    const lines = (await admin('GET', '/audit/logs?resource_type=guardrails&action=create&outcome=success'))
      .body;
    expect(JSON.stringify(lines.data).split('"after":"once"')).toHaveLength(2);
  });

  it('overlapping access request rules: one of two at once', async () => {
    const body = {
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      attributes: ['raced'],
    };
    const answers = await parallel(5, (i) =>
      admin('POST', '/access-requests/rules', { ...body, name: `raced-${i}` }),
    );
    expect(statuses(answers).sort((a, b) => a - b)).toEqual([201, 422, 422, 422, 422]);
    const later = { ...body, attributes: ['later'], name: 'later' };
    expect((await admin('POST', '/access-requests/rules', later)).status).toBe(201);
    const moved = await parallel(2, () =>
      admin('PUT', '/access-requests/rules/later', { ...later, attributes: ['raced'] }),
    );
    expect(statuses(moved)).toEqual([422, 422]);
  });
});
