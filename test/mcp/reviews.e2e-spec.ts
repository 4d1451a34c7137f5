import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';
import { ruleForScripts } from '../support/waiting-scripts';

/** Number of parallel calls, larger than the gateway's number of database connections. */
const OTHERS = volume(60, 200);
const REVIEW = /review ([0-9a-f-]{36})/;
const APPROVAL = { mcp_policy: { tools: { approval: ['ec*'] } } };

// promises: MCP-11
describe(
  'a call of a tool that needs an approval',
  scoped((begin) => {
    const path = beginMcpPath(begin, { PENDING_REQUESTS: '1000' });
    const server = begin(() => startMcpServer('modern'));
    const runs = (): number => server.counts.runs.get('echo') ?? 0;
    const decide = (id: string, status = 'APPROVED') =>
      path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status });
    const pending = async (client: RawClient, text: string): Promise<string> => {
      const { status, message } = await client.call('echo', { text });
      expect([status, message.result.isError]).toEqual([200, true]);
      const [, id] = REVIEW.exec(message.result.content[0].text) ?? [];
      expect(id).toBeDefined();
      return id ?? '';
    };

    it('names its review, and runs once when it is repeated after the approval', async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      const before = runs();
      const id = await pending(client, 'delete 1');
      // The same call again waits for the same review.
      expect(await pending(client, 'delete 1')).toBe(id);
      const review = (await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body;
      expect(review).toMatchObject({
        status: 'PENDING',
        call: { name: 'echo', arguments: '{"text":"delete 1"}' },
      });
      expect(runs()).toBe(before);
      expect((await decide(id)).status).toBe(200);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => client.call('echo', { text: 'delete 1' })),
      );
      const results = answers.map(({ message }) => message.result);
      expect(results.filter(({ isError }) => isError !== true)).toHaveLength(1);
      expect(runs()).toBe(before + 1);
      expect((await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body.status).toBe('EXECUTED');
    });

    it(`queues with ${OTHERS} others, and costs the database no connection that waits`, async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      let waiting = 0;
      const over = new AbortController();
      const watching = (async () => {
        while (!over.signal.aborted) {
          const [row] = await path.gateway.database.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM pg_locks
             WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          );
          waiting = Math.max(waiting, row?.count ?? 0);
          await delay(10);
        }
      })();
      const ids = await Promise.all(
        Array.from({ length: OTHERS }, (_, index) => pending(client, `one of many ${index}`)),
      );
      over.abort();
      await watching;
      expect(new Set(ids).size).toBe(OTHERS);
      expect(waiting).toBe(0);
    }, 120_000);

    it('is not approved by an approval of other arguments, another person or another tool', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const id = await pending(new RawClient(path, name), 'one');
      await decide(id);
      const before = runs();
      expect(await pending(new RawClient(path, name), 'two')).not.toBe(id);
      expect(await pending(new RawClient(path, name, 'bob'), 'one')).not.toBe(id);
      expect(runs()).toBe(before);
      // Other tools of the connection need no approval.
      const other = await new RawClient(path, name).call('contents');
      expect(other.message.result.isError).toBeUndefined();
    });

    it('is refused with the reason when people say no', async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      const id = await pending(client, 'no');
      await path.gateway.call('admin', 'PUT', `/reviews/${id}`, {
        status: 'REJECTED',
        rejection_reason: 'not today',
      });
      const { message } = await client.call('echo', { text: 'no' });
      expect(message.result).toMatchObject({ isError: true });
      expect(message.result.content[0].text).toContain('rejected: not today');
    });

    it('is asked of the groups of a rule of type command, whatever the tool', async () => {
      const name = await path.connection(server.url);
      await ruleForScripts(path.gateway, name);
      const client = new RawClient(path, name);
      const id = await pending(client, 'by rule');
      expect((await path.gateway.call('bob', 'GET', '/reviews?mine=to_decide')).body.data[0]).toMatchObject({
        id,
      });
      expect((await decide(id)).status).toBe(403);
      expect((await path.gateway.call('bob', 'PUT', `/reviews/${id}`, { status: 'APPROVED' })).status).toBe(
        200,
      );
      expect((await client.call('echo', { text: 'by rule' })).message.result.content[0].text).toBe('by rule');
    });

    // promises: MCP-11
    it('needs what the groups of its caller need now, not at the start of the visit', async () => {
      const name = await path.connection(server.url);
      await ruleForScripts(path.gateway, name, { skip_review_groups: ['trusted'] });
      const { groups } = (await path.gateway.call('admin', 'GET', '/users/alice')).body;
      const setGroups = async (names: string[]): Promise<void> => {
        const answer = await path.gateway.call('admin', 'PATCH', '/users/alice', { groups: names });
        expect(answer.status).toBe(200);
      };
      await setGroups([...groups, 'trusted']);
      const client = new RawClient(path, name);
      const textOf = async (text: string): Promise<string> =>
        (await client.call('echo', { text })).message.result?.content[0].text ?? '';
      expect(await textOf('trusted')).toBe('trusted');
      await setGroups(groups);
      await eventually('a call needs an approval', async () => REVIEW.test(await textOf('not any more')));
    });

    // promises: MCP-12
    it('does not run where clients are not let in any more', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const client = new RawClient(path, name);
      const id = await pending(client, 'too late');
      expect((await decide(id)).status).toBe(200);
      const before = runs();
      const off = { access_mode_connect: 'disabled' };
      expect((await path.gateway.call('admin', 'PATCH', `/connections/${name}`, off)).status).toBe(200);
      await eventually('nobody gets in', async () => {
        const { message } = await new RawClient(path, name, 'bob').call('echo', { text: 'x' });
        return message.error !== undefined || message.result?.isError === true;
      });
      await client.call('echo', { text: 'too late' });
      expect(runs()).toBe(before);
    });

    // promises: EMERGENCY-1, EMERGENCY-3
    it('is opened by its caller in an emergency, once, for these arguments', async () => {
      const name = await path.connection(server.url, {
        ...APPROVAL,
        emergency_access_groups: ['engineering'],
      });
      const client = new RawClient(path, name);
      const id = await pending(client, 'urgent');
      const before = runs();
      const declare = (person: 'alice' | 'bob') =>
        path.gateway.call(person, 'POST', `/reviews/${id}/emergency`, { reason: 'the site is down' });
      expect((await declare('bob')).status).toBe(404);
      const { body } = await declare('alice');
      expect(body).toMatchObject({ status: 'APPROVED', emergency: true });
      expect(await pending(client, 'something else')).not.toBe(id);
      expect((await client.call('echo', { text: 'urgent' })).message.result.isError).toBeUndefined();
      expect(await pending(client, 'urgent')).not.toBe(id);
      expect(runs()).toBe(before + 1);
      const marked = await path.gateway.call('admin', 'GET', '/sessions?review.after_review=open');
      expect((marked.body.data as { id: string }[]).map((session) => session.id)).toEqual([
        body.call.session_id,
      ]);
    });

    it('is claimed at whichever gateway it is repeated', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const id = await pending(new RawClient(path, name), 'elsewhere');
      await decide(id);
      const other = await startMcpPath({}, path.gateway);
      try {
        const { message } = await new RawClient(other, name).call('echo', { text: 'elsewhere' });
        expect(message.result.content[0].text).toBe('elsewhere');
      } finally {
        await other.close();
      }
      expect(await pending(new RawClient(path, name), 'elsewhere')).not.toBe(id);
    });
  }),
);

// promises: MCP-7, MCP-11
describe(
  'an approved call whose end cannot be stored on its review',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const refusing = begin(() =>
      rawModern(({ body }, response) => {
        const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
        if (body.method !== 'tools/list') return json(response, {}, 503);
        json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', tools } });
      }),
    );

    beforeAll(() =>
      path.gateway.database.query(
        `CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
         CREATE TRIGGER refuse_end BEFORE UPDATE ON reviews FOR EACH ROW
         WHEN (NEW.status = 'EXECUTED') EXECUTE FUNCTION refuse_end()`,
      ),
    );

    it.each([
      ['a result', 'echo', { text: 'done' }, 'done'],
      ['an error of the tool', 'fail', {}, 'it did not work'],
    ])('is recorded and answered with what the server said: %s', async (_, tool, given, text) => {
      const name = await path.connection(server.url, { mcp_policy: { tools: { approval: [tool] } } });
      const client = new RawClient(path, name);
      const [, id] = REVIEW.exec((await client.call(tool, given)).text) ?? [];
      const approved = await path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
      expect(approved.status).toBe(200);
      const { status, message } = await client.call(tool, given);
      expect([status, message.result.content[0].text]).toEqual([200, text]);
      const outputs = (await path.recorded(name)).filter(([type]) => type === 'o');
      expect(JSON.stringify(outputs.at(-1))).toContain(text);
      // Nobody knows whether the call ran, so its approval must not be used for another run.
      const runs = server.counts.runs.get(tool);
      expect((await client.call(tool, given)).text).toMatch(REVIEW);
      expect(server.counts.runs.get(tool)).toBe(runs);
      const { body } = await path.gateway.call('admin', 'GET', `/reviews/${id}`);
      expect(body.status).not.toBe('EXECUTED');
    });

    it('is recorded and answered with why the server did not run it', async () => {
      const name = await path.connection(refusing.url, APPROVAL);
      const client = new RawClient(path, name);
      const [, id] = REVIEW.exec((await client.call('echo')).text) ?? [];
      await path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
      const { message } = await client.call('echo');
      expect(message.error.message).toContain('503');
      expect(JSON.stringify(await path.recorded(name))).toContain(message.error.message);
    });
  }),
);

describe(
  'a call that is held while people decide',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_HOLD_SECONDS: '30' });
    const server = begin(() => startMcpServer('modern'));

    // promises: MCP-11
    it.each(['modern', 'legacy'] as const)('is answered to a %s client once it is approved', async (era) => {
      const name = await path.connection(server.url, APPROVAL);
      const client = await path.client(era, name);
      const before = server.counts.runs.get('echo') ?? 0;
      const call = client.call('echo', { text: era });
      const id = await eventually('people are asked', async () => {
        const { body } = await path.gateway.call('admin', 'GET', '/reviews?status=PENDING');
        return body.data.find(({ connection }: { connection: string }) =>
          JSON.stringify(connection).includes(name),
        )?.id;
      });
      await path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
      expect((await call).content[0].text).toBe(era);
      expect(server.counts.runs.get('echo')).toBe(before + 1);
      // The call is recorded once, although it was judged twice.
      const inputs = (await path.recorded(name)).filter(
        ([type, text]) => type === 'i' && text.includes('tools/call'),
      );
      expect(inputs).toHaveLength(1);
    });

    it('is answered when the gateway stops, and its review stays', async () => {
      const other = await startMcpPath(
        { MCP_HOLD_SECONDS: '600', SHUTDOWN_GRACE_SECONDS: '60' },
        path.gateway,
      );
      const name = await path.connection(server.url, APPROVAL);
      const call = new RawClient(other, name).call('echo', { text: 'stop' });
      const id = await eventually('people are asked', async () => {
        const { body } = await path.gateway.call('admin', 'GET', '/reviews?status=PENDING');
        return body.data.find((review: object) => JSON.stringify(review).includes(name))?.id as string;
      });
      await other.close();
      expect((await call).message.result.content[0].text).toContain(`review ${id}`);
      expect((await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body.status).toBe('PENDING');
    });

    // promises: MCP-12
    it.each([
      ['is denied', { tools: { approval: ['ec*'], denied: ['echo'] } }],
      ['is allowed no more', { tools: { approval: ['ec*'], allowed: ['contents'] } }],
    ])('does not run when its tool %s before people decide', async (_, mcp_policy) => {
      const name = await path.connection(server.url, APPROVAL);
      const before = server.counts.runs.get('echo') ?? 0;
      const call = new RawClient(path, name).call('echo', { text: 'late' });
      const id = await eventually('people are asked', async () => {
        const { body } = await path.gateway.call('admin', 'GET', '/reviews?status=PENDING');
        return body.data.find((review: object) => JSON.stringify(review).includes(name))?.id as string;
      });
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { mcp_policy });
      await path.gateway.call('admin', 'PUT', `/reviews/${id}`, { status: 'APPROVED' });
      expect((await call).message.result.isError).toBe(true);
      expect(server.counts.runs.get('echo') ?? 0).toBe(before);
      // The failed call has not used the approval.
      expect((await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body.status).toBe('APPROVED');
    });

    // promises: MCP-12
    it('ends with the connection', async () => {
      const name = await path.connection(server.url, APPROVAL);
      const client = new RawClient(path, name);
      const before = server.counts.runs.get('echo') ?? 0;
      const call = client.call('echo', { text: 'gone' });
      await eventually('people are asked', async () => {
        const { body } = await path.gateway.call('admin', 'GET', '/reviews?status=PENDING');
        return JSON.stringify(body).includes(name);
      });
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
      const { message, status } = await call;
      expect(status).toBeLessThan(500);
      expect(message.error ?? message.result).toBeDefined();
      expect(server.counts.runs.get('echo') ?? 0).toBe(before);
    });
  }),
);

// promises: REVIEW-24
describe(
  'calls that wait for people',
  scoped((begin) => {
    const path = beginMcpPath(begin, { PENDING_REQUESTS: '2' });
    const server = begin(() => startMcpServer('modern'));

    it('are bounded for one person and connection, and are the same where they are repeated', async () => {
      const client = new RawClient(path, await path.connection(server.url, APPROVAL));
      for (const text of ['1', '2', '1', '2'])
        expect(JSON.stringify((await client.call('echo', { text })).message)).toMatch(REVIEW);
      const { message } = await client.call('echo', { text: '3' });
      expect(JSON.stringify(message)).toMatch(/2 requests of yours .* wait for a decision/);
      expect(JSON.stringify(message)).not.toMatch(REVIEW);
      expect(server.counts.runs.get('echo') ?? 0).toBe(0);
    });
  }),
);
