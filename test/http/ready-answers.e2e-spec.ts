import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import { tablesOfAnswer } from '../../src/platform/http/ready/answered-from-memory';
import { ReadyAnswers } from '../../src/platform/http/ready/ready-answers';
import { keepFeedDown } from '../support/feed';
import { type Answer, type TestGateway, startGateway } from '../support/gateway';
import { RawClient } from '../support/raw-client';
import { volume } from '../support/volume';

/** Headers that differ in each answer, or describe how its bytes are sent. */
const OF_EACH_ANSWER = ['x-request-id', 'date', 'content-length', 'transfer-encoding'];
const GUARDRAIL = {
  name: 'keep-tables',
  input: {
    rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], pattern_regex: '', message: 'Not here.' }],
  },
};
const RULE = {
  name: 'prod',
  access_type: 'command',
  attributes: ['pii'],
  reviewers_groups: ['dba'],
  min_approvals: 1,
};

function whole({ status, headers, text }: Answer): object {
  const shown = [...headers].filter(([name]) => !OF_EACH_ANSWER.includes(name));
  return { status, headers: shown, text };
}

describe('answers from memory', () => {
  let gateway: TestGateway;
  let other: TestGateway;
  let plain: TestGateway;
  let paths: Record<string, string>;
  let releasePlain: () => Promise<void>;

  const query = <T extends object>(sql: string, values?: unknown[]) => gateway.database.query<T>(sql, values);
  const get = (path: string, on = gateway, headers: Record<string, string> = {}) =>
    on.call('admin', 'GET', path, undefined, headers);

  beforeAll(async () => {
    gateway = await startGateway();
    other = await startGateway({ beside: gateway });
    plain = await startGateway({ beside: gateway });
    const guardrail = await gateway.call('admin', 'POST', '/guardrails', {
      ...GUARDRAIL,
      attributes: ['pii'],
    });
    const rule = await gateway.call('admin', 'POST', '/access-requests/rules', RULE);
    expect([guardrail.status, rule.status]).toEqual([201, 201]);
    paths = {
      listGuardRails: '/guardrails',
      getGuardRail: `/guardrails/${guardrail.body.id}`,
      listAccessRequestRules: '/access-requests/rules?page_size=50',
      getAccessRequestRule: '/access-requests/rules/prod',
      listAttributes: '/attributes',
      getAttribute: '/attributes/pii',
      getOrganization: '/organization',
      listMcpCatalog: '/mcp-catalog',
    };
    releasePlain = await keepFeedDown(plain);
  });

  afterAll(async () => {
    await releasePlain();
    await plain.close();
    await other.close();
    await gateway.close();
  });

  /**
   * Compares three answers of each route. Two come from a gateway whose change feed works. The second of the
   * two may come from its memory. The third comes from a gateway that caches nothing.
   */
  async function compareAll(on = gateway): Promise<void> {
    for (const path of Object.values(paths)) {
      const made = whole(await get(path, on));
      const ready = whole(await get(path, on));
      const read = whole(await get(path, plain));
      expect({ path, answer: made }).toEqual({ path, answer: read });
      expect({ path, answer: ready }).toEqual({ path, answer: read });
    }
  }

  /** Changes everything that these routes return, directly in the database. */
  async function changeAll(word: string): Promise<void> {
    await query(`UPDATE guardrail_rules SET description = $1, version = version + 1`, [word]);
    await query(`UPDATE access_request_rules SET description = $1, version = version + 1`, [word]);
    await query(`UPDATE attributes SET description = $1`, [word]);
    await query(`INSERT INTO attributes (org_id, name) SELECT id, $1 FROM organizations`, [word]);
    await query(`INSERT INTO groups (org_id, name) SELECT id, $1 FROM organizations`, [word]);
    await query(`UPDATE access_request_rules SET connection_names = ARRAY[$1]`, [word]);
    await query(`UPDATE organizations SET features = features || jsonb_build_object('review', $1 = 'two')`, [
      word,
    ]);
  }

  // promises: HTTP-25
  it('are the bytes and headers that are read from the database, after every change by whomever', async () => {
    await compareAll();
    for (const word of ['one', 'two', 'three']) {
      await changeAll(word);
      await compareAll();
    }
    await query('DELETE FROM groups');
    await compareAll();
    await query(`TRUNCATE groups, attributes`);
    paths = { ...paths, getAttribute: '/attributes/none' };
    await compareAll();
    await gateway.call('admin', 'POST', '/attributes', { name: 'none' });
    await compareAll();
  });

  it('are not given while the feed is down, whatever changed, nor after it', async () => {
    await compareAll();
    const release = await keepFeedDown(gateway);
    await changeAll('while the feed is down');
    const asked = jest.spyOn(gateway.app.get(ReadyAnswers), 'find');
    await compareAll();
    expect(asked).not.toHaveBeenCalled();
    await release();
    await gateway.app.get(ChangeFeed).caughtUp();
    await compareAll();
    asked.mockRestore();
  });

  it('come from memory: no statement is sent but one that looks at the feed', async () => {
    await compareAll();
    const found = jest.spyOn(gateway.app.get(ReadyAnswers), 'find');
    for (const path of Object.values(paths)) await get(path);
    expect(found.mock.results.map(({ value }) => value !== undefined)).toEqual(
      Object.keys(paths).map(() => true),
    );
    found.mockRestore();
  });

  // promises: HTTP-25
  it('show at every gateway what was written at another one before', async () => {
    const path = paths['getGuardRail'] ?? '';
    for (let n = 0; n < volume(12, 40); n++) {
      await get(path, other);
      const name = `keep-tables-${n}`;
      const put = await gateway.call('admin', 'PUT', path, { ...GUARDRAIL, name });
      const [here, there] = await Promise.all([get(path), get(path, other)]);
      expect([put.status, here.body.name, there.body.name]).toEqual([200, name, name]);
      expect([here.headers.get('etag'), there.headers.get('etag')]).toEqual([
        put.headers.get('etag'),
        put.headers.get('etag'),
      ]);
    }
  });

  it('are for callers who may have them, at that moment', async () => {
    const path = paths['getGuardRail'] ?? '';
    await get(path, other);
    for (const [person, status] of [
      ['admin', 200],
      ['auditor', 200],
      ['alice', 403],
      [null, 401],
    ] as const)
      expect((await other.call(person, 'GET', path)).status).toBe(status);
    expect((await other.call(null, 'GET', path, undefined, { authorization: 'Bearer gwk_no' })).status).toBe(
      401,
    );
    expect((await other.call('auditor', 'GET', path)).status).toBe(200);
    await query(`UPDATE users SET status = 'inactive' WHERE email LIKE 'auditor%'`);
    expect((await other.call('auditor', 'GET', path)).status).toBe(401);
    await query(`UPDATE users SET status = 'active' WHERE email LIKE 'auditor%'`);
    expect((await other.call('auditor', 'GET', path)).status).toBe(200);
  });

  it('leave conditions, parts, HEAD and bodies to the route', async () => {
    const path = paths['getGuardRail'] ?? '';
    const tag = (await get(path)).headers.get('etag') ?? '';
    expect((await gateway.call('admin', 'HEAD', path)).headers.get('etag')).toBe(tag);
    const { port, pathname } = new URL(`${gateway.api}${path}`);
    const head = `authorization: Bearer ${await gateway.token('admin')}\r\n`;
    const raw = async (more: string): Promise<string> => {
      const client = await RawClient.connect(Number(port));
      client.send(`GET ${pathname} HTTP/1.1\r\nconnection: close\r\n${head}${more}`);
      return (await client.untilEnd()).toString();
    };
    expect(await raw(`host: a\r\nif-none-match: ${tag}\r\n\r\n`)).toMatch(/^HTTP\/1.1 304 /);
    expect(await raw('host: a\r\nif-none-match: "other"\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw('host: a\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw('host: a\r\nhost: b\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw('host: a\r\ncontent-length: 2\r\n\r\n{}')).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each(['gzip', 'br', 'gzip, deflate, br', 'identity'])(
    'are compressed as asked for: %s',
    async (encoding) => {
      const [made, ready] = [
        await get('/mcp-catalog', gateway, { 'accept-encoding': encoding }),
        await get('/mcp-catalog', gateway, { 'accept-encoding': encoding }),
      ];
      expect(whole(ready)).toEqual(whole(made));
      expect(ready.text).toBe((await get('/mcp-catalog', plain, { 'accept-encoding': encoding })).text);
      expect(ready.headers.get('content-encoding')).toBe(
        encoding === 'identity' ? null : made.headers.get('content-encoding'),
      );
    },
  );

  it('depend on tables whose every change is told', async () => {
    const app = gateway.app;
    const discovery = new DiscoveryService(app.get(ModulesContainer));
    const tables = discovery.getControllers().flatMap(({ instance }) => {
      const type = Object.getPrototypeOf(instance) as Record<string, Function>;
      return new MetadataScanner()
        .getAllMethodNames(type)
        .flatMap((name) => tablesOfAnswer(type[name] as Function) ?? []);
    });
    expect(tables.length).toBeGreaterThan(0);
    const told = await query<{ told: string }>(
      `SELECT DISTINCT event_object_table || ' ' || event_manipulation AS told FROM information_schema.triggers
       WHERE action_statement LIKE '%tell_gateways%' AND action_orientation = 'ROW' AND action_condition IS NULL
       UNION SELECT tgrelid::regclass || ' TRUNCATE' FROM pg_trigger WHERE tgname LIKE '%_tell_truncate'`,
    );
    const missing = [...new Set(tables)].flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'].map((change) => `${table} ${change}`),
    );
    expect(missing.filter((change) => !told.some((one) => one.told === change))).toEqual([]);
  });
});
