import { eventually } from '../support/eventually';
import { startDataPath } from '../support/data-path';
import { makeMcpConnection, registerClient, tokensFor } from '../support/mcp-sign-in';
import { OwnToolsPath } from '../support/mcp/own-tools';
import { scoped } from '../support/scoped';
import { ruleForScripts } from '../support/waiting-scripts';

const TOOLS = [
  'list_connections',
  'get_connection',
  'explain_access',
  'run_script',
  'run_approved_script',
  'list_sessions',
  'get_session',
  'read_session_events',
  'list_reviews',
  'get_review',
  'decide_review',
];

describe(
  'our own API as tools',
  scoped((begin) => {
    const path = begin(() => startDataPath());
    const own = begin(() => new OwnToolsPath(path));

    beforeAll(async () => {
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await path.connect('open-to-all', { access_groups: ['*'] });
      await path.connect('for-dba', { access_groups: ['dba'] });
      await path.connect('reviewed', { access_groups: ['*'] });
      await ruleForScripts(path.gateway, 'reviewed');
    });

    describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
      // promises: OWN-1, OWN-2
      it('are listed with descriptions, annotations and schemas', async () => {
        const { client } = await own.as('alice', era);
        const tools = await client.ask('tools');
        expect(tools.map(({ name }) => name)).toEqual(TOOLS);
        for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
          expect([title, description, typeof annotations.destructiveHint]).toEqual([
            expect.stringMatching(/^[A-Z]/),
            expect.stringMatching(/^[A-Z].{30,}\.$/),
            'boolean',
          ]);
          expect([name, inputSchema.type, inputSchema.additionalProperties, outputSchema.type]).toEqual([
            name,
            'object',
            false,
            'object',
          ]);
          for (const [argument, schema] of Object.entries<object>(inputSchema.properties))
            expect([name, argument, schema]).toEqual([
              name,
              argument,
              expect.objectContaining({ description: expect.any(String) }),
            ]);
        }
        // The list must be short, because clients put it into every prompt.
        expect(JSON.stringify(tools).length).toBeLessThan(64 * 1024);
        const reading = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
        expect(TOOLS.filter((name) => !reading.includes(name))).toEqual([
          'run_script',
          'run_approved_script',
          'decide_review',
        ]);
        expect(client.server().info.name).toBe('access-gateway');
      });

      // promises: OWN-3
      it('run a script that needs a review, with tools alone', async () => {
        const [alice, bob] = [await own.as('alice', era), await own.as('bob', era)];
        const reason = `because of ${era}`;
        const asked = await alice.call('run_script', {
          connection: 'reviewed',
          script: `SELECT 40 + 2 AS answer -- ${era}`,
          reason,
        });
        expect(asked.content).toMatchObject({ output_status: 'waiting', has_review: true });
        const { session_id, review_id } = asked.content;
        const early = await alice.call('run_approved_script', { session_id });
        expect(early.refusal).toBe('the review waits for its reviewers');
        const { content: open } = await bob.call('list_reviews', { mine: 'to_decide', page_size: 1 });
        expect([open.data[0].id, open.data[0].reason, open.data.length]).toEqual([review_id, reason, 1]);
        const { content: review } = await bob.call('get_review', { review_id });
        const { content: waiting } = await bob.call('get_session', { session_id: review.session_id });
        expect(waiting.script.data).toContain('40 + 2');
        // Nobody approves their own request.
        const vain = await alice.call('decide_review', { review_id, status: 'APPROVED' });
        const { body } = await path.gateway.call('alice', 'PUT', `/reviews/${review_id}`, {
          status: 'APPROVED',
        });
        expect(vain.refusal).toBe(body.message);
        const decided = await bob.call('decide_review', { review_id, status: 'APPROVED' });
        expect(decided.content.status).toBe('APPROVED');
        const ran = await alice.call('run_approved_script', { session_id });
        expect(ran.content).toMatchObject({ output_status: 'success', output: 'answer\n42\n' });
        // `results` would repeat the rows of `output`, and a model pays for every token.
        expect(ran.content).not.toHaveProperty('results');
        expect((await alice.call('run_approved_script', { session_id })).refusal).toBeDefined();
        const read = await alice.call('read_session_events', { session_id, events: ['o'] });
        expect(read.content).toMatchObject({ events: [{ type: 'o', text: 'answer\n42\n' }], next: null });
      });

      // promises: OWN-4
      it('reveal nothing that the person may not see, not even names', async () => {
        const [alice, bob, auditor] = [
          await own.as('alice', era),
          await own.as('bob', era),
          await own.as('auditor', era),
        ];
        const names = async (who: typeof alice): Promise<string[]> => {
          const { content } = await who.call('list_connections');
          return content.data.map(({ name }: { name: string }) => name).sort();
        };
        expect(await names(alice)).not.toContain('for-dba');
        expect(await names(bob)).toContain('for-dba');
        const script = 'SELECT 1';
        for (const [tool, args] of [
          ['get_connection', {}],
          ['run_script', { script }],
        ] as const) {
          const [hidden, absent] = [
            await alice.call(tool, { ...args, connection: 'for-dba' }),
            await alice.call(tool, { ...args, connection: 'no-such' }),
          ];
          expect(hidden.refusal?.replaceAll('for-dba', 'no-such')).toBe(absent.refusal);
          expect(absent.refusal).toBeDefined();
        }
        const { content: ofBob } = await bob.call('run_script', { connection: 'for-dba', script });
        for (const tool of ['get_session', 'read_session_events'])
          expect((await alice.call(tool, { session_id: ofBob.session_id })).refusal).toBe(
            (await path.gateway.call('alice', 'GET', `/sessions/${ofBob.session_id}`)).body.message,
          );
        expect((await auditor.call('get_session', { session_id: ofBob.session_id })).content.id).toBe(
          ofBob.session_id,
        );
        const { content: listed } = await alice.call('list_sessions', { connection: 'for-dba' });
        expect(listed.data).toEqual([]);
        // Auditors must not run scripts, because they may change nothing.
        expect((await auditor.call('run_script', { connection: 'open-to-all', script })).refusal).toBe(
          'auditors may read, but change nothing',
        );
      });

      // promises: OWN-5
      it('explain access to callers about themselves, and about others to auditors and admins', async () => {
        const admin = await own.as('admin', era);
        const mine = await admin.call('explain_access', { connection: 'reviewed' });
        expect(mine.content).toMatchObject({ connection: 'reviewed', user: expect.any(String) });
        const hers = await admin.call('explain_access', {
          connection: 'reviewed',
          user: 'alice@example.com',
        });
        expect(hers.content).toMatchObject({ outcome: 'review', reviewers_groups: ['dba'] });
        expect(hers.content.user).not.toBe(mine.content.user);
        const alice = await own.as('alice', era);
        const { guardrails, access_rules, ...answer } = (
          await alice.call('explain_access', { connection: 'reviewed' })
        ).content;
        expect(answer).toEqual({
          connection: 'reviewed',
          user: 'alice',
          outcome: 'review',
          reasons: hers.content.reasons,
          reviewers_groups: ['dba'],
          target_role: null,
        });
        expect([guardrails, access_rules, hers.content.access_rules.length]).toEqual([[], [], 1]);
        const others = 'only auditors and admins may ask about others; leave out "user"';
        for (const connection of ['reviewed', 'for-dba', 'of-nobody'])
          expect((await alice.call('explain_access', { connection, user: 'bob' })).refusal).toBe(others);
        expect((await alice.call('explain_access', { connection: 'for-dba' })).refusal).toBe(
          'there is no such connection',
        );
      });
    });

    // promises: OWN-6
    it('write the same audit lines as the API, with the address of the client', async () => {
      const bob = await own.as('bob');
      const { content } = await bob.call('run_script', { connection: 'reviewed', script: 'SELECT 7' });
      const { review_id } = content;
      const decided = await own
        .raw('admin')
        .call('decide_review', { review_id, status: 'REJECTED', rejection_reason: 'no' });
      expect(decided.message.result.isError).toBeUndefined();
      const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=reviews');
      const lines: Record<string, unknown>[] = body.data;
      expect(
        lines.filter((line) => line['resource_id'] === review_id && line['action'] === 'update'),
      ).toEqual([
        expect.objectContaining({
          actor: expect.objectContaining({ email: 'admin@example.com' }),
          outcome: 'success',
          client_address: expect.stringMatching(/127\.0\.0\.1$/),
          request_id: decided.headers.get('x-request-id'),
        }),
      ]);
    });

    // promises: OWN-7
    it('show long lists and recordings page by page', async () => {
      const alice = await own.as('alice');
      const { content: ran } = await alice.call('run_script', {
        connection: 'open-to-all',
        script: "SELECT repeat('é', 200000); SELECT 'second'; SELECT 'third'",
      });
      const { session_id } = ran;
      const whole = await path.recording(session_id);
      const seen: [string, string, boolean][] = [];
      let skip: number | null = 0;
      while (skip !== null) {
        const { content }: { content: { events: never[]; next: number | null } } = await alice.call(
          'read_session_events',
          { session_id, limit: 1, skip },
        );
        expect(content.events.length).toBeLessThanOrEqual(1);
        for (const { type, text, truncated } of content.events) seen.push([type, text, truncated]);
        skip = content.next;
      }
      expect(seen.length).toBe(whole.length);
      for (const [index, [type, text, isCut]] of seen.entries()) {
        const [, all = ''] = whole[index] ?? [];
        expect([type, isCut]).toEqual([whole[index]?.[0], Buffer.byteLength(JSON.stringify(all)) > 16_000]);
        if (isCut) expect([all.startsWith(text), text.length > 4_000]).toEqual([true, true]);
        else expect(text).toBe(all);
      }
      expect(seen.some(([, , isCut]) => isCut)).toBe(true);
      const page = await alice.call('list_connections', { page_size: 1, page: 2 });
      expect(page.content.pages).toMatchObject({ page: 2, size: 1 });
      expect(page.content.data).toHaveLength(1);
      expect((await alice.call('list_connections', { page_size: 1_000 })).refusal).toContain('1 to 100');
    });

    // promises: OWN-8
    it('refuse arguments that would change the called route', async () => {
      const alice = await own.as('alice');
      const id = '00000000-0000-4000-8000-000000000000';
      for (const [tool, args, words] of [
        ['get_connection', {}, 'the argument "connection" is missing'],
        ['get_connection', { connection: '' }, 'not empty'],
        ['get_connection', { connection: ['a'] }, 'a text'],
        ['get_connection', { connection: 'a', expand: 'x' }, 'there is no argument "expand"'],
        ['get_connection', { connection: '__proto__' }, ''],
        ['get_connection', { connection: '../reviews' }, ''],
        ['get_connection', { connection: 'open-to-all/test' }, ''],
        ['get_connection', { connection: 'open-to-all?x=1' }, ''],
        ['get_connection', { connection: '..' }, ''],
        ['get_session', { session_id: 'verify' }, 'an id (UUID)'],
        ['read_session_events', { session_id: `${id}/verify` }, 'an id (UUID)'],
        ['read_session_events', { session_id: id, events: ['i&extension=cast'] }, 'one of i, o, e'],
        ['list_reviews', { mine: 'to_decide&status=PENDING' }, 'one of'],
        ['decide_review', { review_id: id, status: 'EXECUTED' }, 'one of'],
        ['run_script', { connection: 'open-to-all', script: 'SELECT 1', reason: 'x'.repeat(1_001) }, '1000'],
      ] as const) {
        const { refusal } = await alice.call(tool, args);
        expect([tool, args, refusal]).toEqual([tool, args, expect.stringContaining(words)]);
      }
      const raw = own.raw();
      expect((await raw.call('no_such_tool')).message.error).toMatchObject({ code: -32602 });
      expect((await raw.modern('resources/list')).status).toBe(404);
      expect((await raw.modern('tools/list', { cursor: 'x' })).message.error).toMatchObject({ code: -32602 });
    });

    // promises: OWN-9
    it('accept API keys and tokens of the provider, and refuse tokens for a connection', async () => {
      await makeMcpConnection(path.gateway, 'linear');
      const { body: key } = await path.gateway.call('admin', 'POST', '/api-keys', {
        name: 'agent',
        groups: ['dba'],
      });
      const agent = await own.with(key.key);
      const { content } = await agent.call('run_script', { connection: 'for-dba', script: 'SELECT 1' });
      expect(content.output_status).toBe('success');
      await path.gateway.call('admin', 'DELETE', `/api-keys/${key.id}`);
      await eventually('the key is no key any more', async () => {
        const answer = await own.raw(null).modern('tools/list', {}, { authorization: `Bearer ${key.key}` });
        return answer.status === 401;
      });
      const { access } = await tokensFor(path.gateway, await registerClient(path.gateway), 'linear');
      const stolen = await own.raw(null).modern('tools/list', {}, { authorization: `Bearer ${access}` });
      expect(stolen.status).toBe(401);
      const nobody = await own.raw(null).modern('tools/list');
      expect(nobody.status).toBe(401);
      const [, address = ''] =
        /resource_metadata="([^"]+)"/.exec(nobody.headers.get('www-authenticate') ?? '') ?? [];
      expect(await (await fetch(address)).json()).toMatchObject({
        resource: own.url,
        authorization_servers: [path.gateway.provider.issuer],
      });
    });

    // promises: OWN-10
    it('accept a legacy session only from the caller who began it, at this endpoint', async () => {
      const session = await own.raw('alice').begin();
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect((await own.raw('alice').send(list, session)).status).toBe(200);
      expect((await own.raw('bob').send(list, session)).status).toBe(404);
      const elsewhere = await fetch(`${own.url}/linear`, {
        method: 'POST',
        headers: {
          ...session,
          authorization: `Bearer ${await path.gateway.token('alice')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(list),
      });
      expect(elsewhere.status).toBe(404);
      expect((await own.raw('alice').send('', session, 'DELETE')).status).toBe(204);
      expect((await own.raw('alice').send(list, session)).status).toBe(404);
    });
  }),
);
