import { describeDataPath } from '../support/describe';
import { createRule, denyWords } from '../support/guardrails';

/** Guardrails, access request rules and attributes, from their creation to their deletion. */
describeDataPath('rules', ({ path }) => {
  beforeAll(async () => {
    for (const person of ['alice', 'bob', 'admin'] as const)
      await path.gateway.call(person, 'GET', '/userinfo');
  });

  const admin = (method: string, to: string, body?: object, headers?: Record<string, string>) =>
    path.gateway.call('admin', method, to, body, headers);
  const managed = (table: string, name: string) =>
    path.gateway.database.query(`UPDATE ${table} SET managed_by = 'profile' WHERE name = $1`, [name]);

  describe('guardrails', () => {
    // promises: HTTP-12
    it('are listed newest first, in pages', async () => {
      for (const name of ['g-1', 'g-2', 'g-3']) await createRule(path.gateway, { name });
      const names = async (query: string) =>
        (await admin('GET', `/guardrails?${query}`)).body.data.map((rule: { name: string }) => rule.name);
      expect(await names('page_size=2')).toEqual(['g-3', 'g-2']);
      expect(await names('page_size=2&page=2')).toEqual(['g-1']);
      expect(await names('page=2')).toEqual([]);
    });

    // promises: GUARDRAIL-9
    it('PUT replaces everything, from the next command on', async () => {
      const body = {
        name: 'whole',
        description: 'd',
        input: denyWords(['forbidden']),
        connection_ids: [path.connectionId],
      };
      const id = await createRule(path.gateway, {
        ...body,
        attributes: ['a'],
        output: denyWords(['secret']),
      });
      expect((await path.run("SELECT 'forbidden'")).body.output_status).toBe('blocked');
      const put = await admin('PUT', `/guardrails/${id}`, { name: 'whole-2', input: denyWords(['else']) });
      expect(put.body).toMatchObject({
        id,
        name: 'whole-2',
        description: '',
        attributes: [],
        connection_ids: [],
        output: { rules: [] },
      });
      expect((await path.run("SELECT 'else'")).body.output_status).toBe('success');
      expect((await admin('GET', '/connections/orders')).body.guardrail_rules).toEqual([]);
      const broken = { name: 'whole-3', connection_ids: [path.connectionId, id] };
      expect((await admin('PUT', `/guardrails/${id}`, broken)).status).toBe(422);
      expect((await admin('PUT', `/guardrails/${id}`, { name: 'g-1' })).status).toBe(409);
      expect((await admin('GET', `/guardrails/${id}`)).body).toEqual(put.body);
    });

    it('deleted, hold no longer', async () => {
      const id = await createRule(path.gateway, {
        name: 'gone',
        input: denyWords(['x']),
        connection_ids: [path.connectionId],
      });
      expect((await path.run("SELECT 'x'")).body.output_status).toBe('blocked');
      expect((await admin('DELETE', `/guardrails/${id}`)).status).toBe(204);
      expect((await path.run("SELECT 'x'")).body.output_status).toBe('success');
    });

    // promises: GUARDRAIL-4, GUARDRAIL-20
    it('managed ones are read-only', async () => {
      const id = await createRule(path.gateway, { name: 'managed' });
      await managed('guardrail_rules', 'managed');
      for (const method of ['PUT', 'DELETE']) {
        const answer = await admin(
          method,
          `/guardrails/${id}`,
          method === 'PUT' ? { name: 'mine' } : undefined,
        );
        expect([answer.status, answer.body.message]).toEqual([
          400,
          'this guardrail is managed by profile and read-only here',
        ]);
      }
      expect((await admin('GET', `/guardrails/${id}`)).body).toMatchObject({
        name: 'managed',
        managed_by: 'profile',
      });
    });
  });

  describe('access request rules', () => {
    const at = '/access-requests/rules';
    const sound = (name: string, more: object = {}) => ({
      name,
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      connection_names: [name],
      ...more,
    });
    const warnings = async (body: { name: string }) => (await admin('POST', at, body)).body.warnings;

    // promises: RULE-14
    it('warn about possible mistakes', async () => {
      await path.connect('warned');
      expect(await warnings(sound('warned'))).toEqual([
        'connect stays open on warned: no rule of type jit covers it',
      ]);
      expect(
        await warnings(sound('other-path', { access_type: 'jit', connection_names: ['warned'] })),
      ).toEqual([]);
      expect((await admin('GET', `${at}/warned`)).body.warnings).toEqual([]);
      expect(await warnings(sound('nowhere', { access_type: 'jit_command' }))).toEqual([
        'there is no connection named nowhere',
      ]);
      await path.connect('groups');
      const unknown = sound('groups', {
        access_type: 'jit_command',
        reviewers_groups: ['dba', 'ghosts'],
        min_approvals: 2,
      });
      expect(await warnings(unknown)).toEqual([
        'there is no group named ghosts',
        '2 approvals cannot be given today: 1 groups have members, 1 people in total',
      ]);
      await admin('PATCH', '/users/alice', { groups: ['ghosts'] });
      expect((await admin('GET', `${at}/groups`)).body.warnings).toEqual([]);
      await admin('PATCH', '/users/alice', { status: 'inactive' });
      expect((await admin('GET', `${at}/groups`)).body.warnings).toHaveLength(1);
      await admin('PATCH', '/users/alice', { status: 'active' });
    });

    it('do not warn where one person speaks for all groups', async () => {
      await path.connect('both');
      const all = sound('both', {
        access_type: 'jit_command',
        reviewers_groups: ['dba', 'night'],
        all_groups_must_approve: true,
        min_approvals: null,
      });
      await admin('PATCH', '/users/bob', { groups: ['night'] });
      expect(await warnings(all)).toEqual([]);
      await admin('PATCH', '/users/bob', { groups: [] });
      expect((await admin('GET', `${at}/both`)).body.warnings.at(-1)).toBe(
        '2 approvals cannot be given today: 1 groups have members, 1 people in total',
      );
    });

    // promises: RULE-12
    it('are replaced and renamed; overlaps with other rules are refused', async () => {
      await admin('POST', at, sound('first', { description: 'd', attributes: ['pii'] }));
      await admin('POST', at, sound('second'));
      const again = await admin('PUT', `${at}/first`, sound('first'));
      expect([again.status, again.body.attributes, again.body.description]).toEqual([200, [], '']);
      const taken = await admin('PUT', `${at}/first`, sound('second', { connection_names: ['first'] }));
      expect([taken.status, taken.body.message]).toEqual([
        422,
        'an access request rule named second already exists',
      ]);
      const overlap = await admin(
        'PUT',
        `${at}/first`,
        sound('first', { connection_names: ['first', 'second'] }),
      );
      expect([overlap.status, overlap.body.message]).toEqual([
        422,
        'the rule second already covers second for the same access',
      ]);
      const renamed = await admin('PUT', `${at}/first`, sound('renamed', { connection_names: ['first'] }));
      expect([renamed.status, renamed.body.name]).toEqual([200, 'renamed']);
      expect((await admin('GET', `${at}/first`)).status).toBe(404);
      expect((await admin('GET', `${at}/second`)).body.name).toBe('second');
      expect((await admin('DELETE', `${at}/second`)).status).toBe(204);
      expect(
        (await admin('PUT', `${at}/renamed`, sound('renamed', { connection_names: ['second'] }))).status,
      ).toBe(200);
    });

    // promises: RULE-16
    it('managed ones are read-only', async () => {
      await admin('POST', at, sound('managed'));
      await managed('access_request_rules', 'managed');
      expect((await admin('PUT', `${at}/managed`, sound('managed'))).status).toBe(400);
      expect((await admin('DELETE', `${at}/managed`)).status).toBe(400);
    });
  });

  describe('attributes', () => {
    // promises: ATTRIBUTE-1
    it('are created with the first thing that has them, and deleted from everything', async () => {
      await path.connect('labelled', { attributes: ['label'] });
      const rule = await createRule(path.gateway, {
        name: 'labelled',
        attributes: ['label', 'kept'],
        input: denyWords(['x']),
      });
      await admin('POST', '/access-requests/rules', {
        name: 'labelled',
        access_type: 'jit',
        reviewers_groups: ['dba'],
        min_approvals: 1,
        attributes: ['label', 'kept'],
      });
      expect((await admin('GET', '/attributes/label')).body).toMatchObject({
        description: '',
        connection_names: ['labelled'],
        guardrail_names: ['labelled'],
        access_rule_names: ['labelled'],
      });
      expect((await path.run("SELECT 'x'", { connection: 'labelled' })).body.output_status).toBe('blocked');
      const etag = (await admin('GET', `/guardrails/${rule}`)).headers.get('etag') ?? '';
      expect((await admin('DELETE', '/attributes/label')).status).toBe(204);
      expect((await admin('GET', '/attributes/label')).status).toBe(404);
      const body = { name: 'labelled', attributes: ['label'] };
      expect((await admin('PUT', `/guardrails/${rule}`, body, { 'if-match': etag })).status).toBe(412);
      expect((await admin('GET', '/connections/labelled')).body.attributes).toEqual([]);
      expect((await admin('GET', '/access-requests/rules/labelled')).body.attributes).toEqual(['kept']);
      expect((await path.run("SELECT 'x'", { connection: 'labelled' })).body.output_status).toBe('success');
      const refused = await admin('DELETE', '/attributes/kept');
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'the access request rule labelled covers only this attribute; change or delete the rule first',
      ]);
      expect((await admin('GET', `/guardrails/${rule}`)).body.attributes).toEqual(['kept']);
    });

    it('are made, described, and made once', async () => {
      const name = 'needs care / 100%';
      expect((await admin('POST', '/attributes', { name })).status).toBe(201);
      expect((await admin('POST', '/attributes', { name })).status).toBe(409);
      const at = `/attributes/${encodeURIComponent(name)}`;
      expect((await admin('PUT', at, { description: 'why' })).body).toMatchObject({
        name,
        description: 'why',
      });
      expect((await admin('PUT', '/attributes/none', { description: 'why' })).status).toBe(404);
      expect((await admin('DELETE', at)).status).toBe(204);
      expect((await admin('DELETE', at)).status).toBe(404);
    });
  });
});
