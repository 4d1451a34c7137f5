import { connectReviewed } from '../support/waiting-scripts';
import { createHash } from 'node:crypto';
import { as } from '../support/callers';
import { startDataPath } from '../support/data-path';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import { type Answer, type Person, type TestGateway, startGateway } from '../support/gateway';
import { captureLog } from '../support/log';
import { volume } from '../support/volume';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const UNUSABLE = { message: 'this download link is unknown, used or expired; please make a new one' };

interface Visit {
  session?: string;
  gateway?: TestGateway;
  method?: string;
  headers?: Record<string, string>;
}

/** A browser sends no bearer token for a download. A link replaces the token, for one download. */
describeScoped('download links', (begin) => {
  const log = begin(captureLog, (captured) => captured.restore());
  const path = begin(() => startDataPath({ LOG_LEVEL: 'trace' }));
  const other = begin(() => startGateway({ beside: path.gateway, environment: { LOG_LEVEL: 'trace' } }));
  let id: string;
  /** All link tokens of the tests. None may appear in a log or a refusal. */
  const tokens: string[] = [];
  const answers: string[] = [];

  beforeAll(async () => {
    id = (await path.run("SELECT '=ü' AS a, 'b' AS b; SELECT 1/0", {}, 'alice')).body.session_id;
  });

  const sql = <T extends object>(text: string, values?: unknown[]) =>
    path.gateway.database.query<T>(text, values);
  const make = (session: string, person: Person | null = 'alice', body: unknown = {}) =>
    path.gateway.call(person, 'POST', `/sessions/${session}/download-links`, body);
  const noted = (answer: Answer): string => {
    const token = new URL(answer.body.download_url as string).searchParams.get('token') ?? '';
    tokens.push(token);
    return token;
  };
  const link = async (person: Person = 'alice', body: object = {}, session = id) => {
    const answer = await make(session, person, body);
    if (answer.status !== 201) throw new Error(answer.text);
    return noted(answer);
  };
  /** Requests a download like a browser: without a credential. */
  const visit = async (query: string, more: Visit = {}) => {
    const { session = id, gateway = path.gateway, method = 'GET', headers = {} } = more;
    const to = `/sessions/${session}/download${query}`;
    const answer = await gateway.call(null, method, to, undefined, headers);
    if (answer.status !== 200) answers.push(answer.text);
    return answer;
  };
  const take = (token: string, more: Visit = {}) => visit(`?token=${token}`, more);
  const refused = async (what: string, answer: Promise<Answer>) => {
    const { status, body } = await answer;
    expect([what, status, body]).toEqual([what, 404, UNUSABLE]);
  };
  const hash = (token: string) => createHash('sha256').update(token).digest();
  const countLinks = async (token: string) =>
    (await sql('SELECT FROM download_links WHERE token_hash = $1', [hash(token)])).length;
  const lines = async () =>
    (await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=sessions&action=execute')).body
      .data as { changes: { field: string; after: object }[]; resource_id: string }[];

  // promises: LINK-1
  it('are made: an address of this API, five minutes, and the hash of the token is all that is stored', async () => {
    const answer = await make(id);
    const token = noted(answer);
    expect([answer.status, answer.headers.get('cache-control'), Object.keys(answer.body)]).toEqual([
      201,
      'no-store',
      ['download_url', 'expire_at'],
    ]);
    expect(answer.body.download_url).toBe(`${path.gateway.api}/sessions/${id}/download?token=${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = await sql<{ life: number; text: string; token_hash: Buffer }>(
      `SELECT extract(epoch FROM expire_at - now())::int AS life, l::text AS text, token_hash FROM download_links l
       WHERE token_hash = $1`,
      [hash(token)],
    );
    expect(row?.life).toBeGreaterThan(200);
    expect(row?.life).toBeLessThanOrEqual(300);
    expect(row?.text).not.toContain(token);
    expect(new Date(answer.body.expire_at).toISOString()).toBe(answer.body.expire_at);
  });

  it.each([
    [{}, 'extension=txt'],
    [{ extension: 'txt' }, 'extension=txt'],
    [{ extension: 'csv' }, 'extension=csv'],
    [{ extension: 'csv', 'event-time': '1' }, 'extension=csv&event-time=1'],
    [{ extension: 'json', events: ['i', 'e'] }, 'extension=json&events=i,e'],
    [{ extension: '../x"y', new_line: '1', 'event-time': '0' }, 'extension=../x%22y&new_line=1'],
    [
      { extension: 'log', new_line: '1', 'event-time': '1', events: ['i', 'o', 'e'] },
      'extension=log&new_line=1&event-time=1&events=i,o,e',
    ],
  ])('for %j bring what GET ?%s brings, byte for byte, on any gateway', async (body, query) => {
    const expected = await path.read(id, `?${query}`, 'alice');
    expect(expected.text.length).toBeGreaterThan(10);
    for (const gateway of [path.gateway, other]) {
      const answer = await take(await link('alice', body), { gateway });
      expect([answer.status, answer.text]).toEqual([200, expected.text]);
      for (const header of ['content-type', 'content-disposition', 'cache-control']) {
        expect([header, answer.headers.get(header)]).toEqual([header, expected.headers.get(header)]);
      }
    }
  });

  it('are not cached, and not sent as a referrer', async () => {
    const token = await link();
    for (const answer of [await take(token), await take(token)]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      for (const header of ['set-cookie', 'location', 'etag', 'www-authenticate']) {
        expect([header, answer.headers.get(header)]).toEqual([header, null]);
      }
    }
  });

  // promises: LINK-1
  it('work once, wherever', async () => {
    const token = await link();
    expect((await take(token, { gateway: other })).status).toBe(200);
    await refused('again', take(token, { gateway: other }));
    await refused('again elsewhere', take(token));
    expect(await countLinks(token)).toBe(0);
  });

  it('deliver the file to one of concurrent callers, with one audit line', async () => {
    for (let round = 0; round < volume(2, 5); round++) {
      const token = await link();
      const before = (await lines()).length;
      const raced = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          take(token, { gateway: index % 2 === round % 2 ? other : path.gateway }),
        ),
      );
      const statuses = raced.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 404)).toHaveLength(11);
      expect((await lines()).length).toBe(before + 1);
    }
  });

  // promises: LINK-2
  it('are used up only by a download, and all refusals are the same', async () => {
    const token = await link();
    const foreign = (await path.run('SELECT 2', {}, 'bob')).body.session_id;
    const flipped = token.replace(/[a-z]/, (letter) => letter.toUpperCase());
    for (const wrong of [
      flipped,
      `${token}=`,
      `${token}%20`,
      `%20${token}`,
      token.slice(1),
      '%00',
      'x'.repeat(4_000),
    ]) {
      await refused(wrong, take(wrong));
    }
    await refused('no token', visit(''));
    await refused('two tokens', visit(`?token=${token}&token=${token}`));
    for (const query of ['?token=', `?token[a]=${token}`, `?Token=${token}`]) {
      const { status, body } = await visit(query);
      expect([query, status, body]).toEqual([query, 400, { message: expect.not.stringContaining(token) }]);
    }
    await refused('the hash', take(hash(token).toString('hex')));
    await refused('on a session of somebody else', take(token, { session: foreign }));
    const own = (await path.run('SELECT 4', {}, 'alice')).body.session_id;
    await refused('on another session of their own', take(token, { session: own }));
    await refused('on no session', take(token, { session: NOBODY }));
    await refused('as a bearer', visit('', { headers: { authorization: `Bearer ${token}` } }));
    expect((await visit(`?token=${token}`, { session: 'x' })).status).toBe(400);
    expect((await visit(`?token=${token}`, { method: 'POST' })).status).toBe(405);
    expect((await take(token)).status).toBe(200);
  });

  // promises: LINK-2
  it('expire, and are gone when the next one is made, also when many are made at once', async () => {
    const token = await link();
    await sql(`UPDATE download_links SET expire_at = now() - interval '1 millisecond'`);
    await refused('expired', take(token));
    expect((await take(token, { method: 'HEAD' })).status).toBe(404);
    expect(await countLinks(token)).toBe(1);
    const fresh = await Promise.all(Array.from({ length: 10 }, () => link()));
    expect(await countLinks(token)).toBe(0);
    const taken = await Promise.all(fresh.map((one) => take(one)));
    expect(taken.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  // promises: LINK-2
  it('are not used up by HEAD, prefetching browsers and link previews', async () => {
    const token = await link('alice', { extension: 'csv' });
    const looked = await take(token, { method: 'HEAD' });
    expect([looked.status, looked.text]).toEqual([200, '']);
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
      { 'user-agent': 'WhatsApp/2.23.20.0' },
    ]) {
      await refused(JSON.stringify(headers), take(token, { headers }));
    }
    const before = (await lines()).length;
    const taken = await take(token);
    expect(taken.status).toBe(200);
    for (const header of ['content-type', 'content-disposition']) {
      expect(looked.headers.get(header)).toBe(taken.headers.get(header));
    }
    expect((await lines()).length).toBe(before + 1);
    expect((await take(token, { method: 'HEAD' })).status).toBe(404);
  });

  it('are for those who may read the recording; 404 for others', async () => {
    for (const person of ['alice', 'auditor', 'admin'] as const) {
      const answer = await take(await link(person));
      expect([person, answer.status]).toEqual([person, 200]);
    }
    const missing = await make(NOBODY, 'bob');
    const foreign = await make(id, 'bob');
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    expect((await make(id, null)).status).toBe(401);
    expect((await make('x')).status).toBe(400);

    await connectReviewed(path, 'reviewed');
    const reviewed = (await path.run('SELECT 1', { connection: 'reviewed' }, 'alice')).body.session_id;
    const reviewer = await make(reviewed, 'bob');
    expect([reviewer.status, reviewer.body]).toEqual([
      403,
      { message: 'reviewers see the request, not the recording' },
    ]);
    expect(await sql('SELECT FROM download_links WHERE session_id = $1', [reviewed])).toEqual([]);
  });

  // promises: LINK-3
  it('need the rights of their creator when they are used', async () => {
    const token = await link();
    await path.setStatus('alice', 'inactive');
    await eventually('alice is out', async () => (await path.read(id, '', 'alice')).status === 401);
    await refused('inactive', take(token));
    expect((await take(token, { method: 'HEAD' })).status).toBe(404);
    await path.setStatus('alice', 'active');
    await eventually('alice is back', async () => (await path.read(id, '', 'alice')).status === 200);
    expect((await take(token)).status).toBe(200);

    const auditors = await link('auditor');
    await sql(`DELETE FROM user_groups WHERE group_name = 'auditor'`);
    await eventually('no auditor any more', async () => (await path.read(id, '', 'auditor')).status === 404);
    await refused('demoted', take(auditors));

    const machine = (await path.gateway.call('admin', 'POST', '/api-keys', { name: 'machine' })).body;
    const run = { connection: 'orders', script: 'SELECT 3' };
    const own = (await as(path.gateway, machine.key, 'POST', '/sessions', run)).body.session_id;
    const again = () => as(path.gateway, machine.key, 'POST', `/sessions/${own}/download-links`, {});
    const [first, second] = [noted(await again()), noted(await again())];
    expect((await take(first, { session: own })).status).toBe(200);
    await path.gateway.call('admin', 'DELETE', `/api-keys/${machine.id}`);
    await refused('revoked', take(second, { session: own }));
  });

  it.each([
    [400, { expand: 'event_stream' }],
    [400, { event_stream: 'utf8' }],
    [400, { user_id: NOBODY }],
    [400, { expire_at: '2100-01-01T00:00:00Z' }],
    [400, { extension: 7 }],
    [400, { 'event-time': 1 }],
    [400, { new_line: true }],
    [400, { events: 'o' }],
    [400, []],
    [400, '{"__proto__":{"extension":"csv"}}'],
    [422, { extension: '' }],
    [422, { extension: 'x'.repeat(65) }],
    [422, { extension: 'a\0' }],
    [422, { 'event-time': '2' }],
    [422, { new_line: '' }],
    [422, { events: [] }],
    [422, { events: ['x'] }],
    [422, { events: ['i', 'o', 'e', 'i'] }],
  ])('answer %i to %j', async (status, body) => {
    const before = (await sql('SELECT FROM download_links')).length;
    expect((await make(id, 'alice', body)).status).toBe(status);
    expect((await sql('SELECT FROM download_links')).length).toBe(before);
  });

  // promises: LINK-3
  it('are in the audit log, like the download, in their creator’s name', async () => {
    const token = await link('alice', { extension: 'json', events: ['o'] });
    expect((await take(token)).status).toBe(200);
    expect((await lines()).slice(0, 2)).toMatchObject([
      {
        resource_id: id,
        actor: { id: 'alice', type: 'user' },
        outcome: 'success',
        status: 200,
        client_address: '127.0.0.1',
        changes: [{ field: 'download', before: null, after: { extension: 'json', events: ['o'] } }],
      },
      {
        resource_id: id,
        actor: { id: 'alice' },
        status: 201,
        changes: [
          {
            field: 'download_link',
            after: { extension: 'json', events: ['o'], expire_at: expect.any(String) },
          },
        ],
      },
    ]);
    expect((await path.gateway.call('admin', 'GET', '/audit/verify')).body.valid).toBe(true);
  });

  it('stay unused when the download cannot be written to the audit log', async () => {
    const token = await link();
    await sql('ALTER TABLE audit_log RENAME TO audit_log_away');
    expect([(await make(id)).status, (await take(token)).status]).toEqual([500, 500]);
    await sql('ALTER TABLE audit_log_away RENAME TO audit_log');
    expect((await take(token)).status).toBe(200);
  });

  it('count as bad credentials of the address when guessed', async () => {
    const impatient = await startGateway({
      beside: path.gateway,
      environment: { FAILED_CREDENTIALS_PER_MINUTE: '3' },
    });
    const token = await link();
    const ahead = { headers: { 'sec-purpose': 'prefetch' }, gateway: impatient };
    for (const preview of ['1', '2', '3', '4']) await refused(preview, take(token, ahead));
    for (const guess of ['a', 'b', 'c']) await refused(guess, take(guess, { gateway: impatient }));
    const answer = await take('d', { gateway: impatient });
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    // A valid link still works when it is used from the IP address that made the wrong guesses.
    expect((await take(token, { gateway: impatient })).status).toBe(200);
    await impatient.close();
  });

  it('show their tokens to nobody: not in the log, not in the audit log, not in a refusal', async () => {
    const audit = (await path.gateway.call('admin', 'GET', '/audit/logs')).text;
    const stored = JSON.stringify(await sql('SELECT to_jsonb(l) FROM download_links l'));
    expect(tokens.length).toBeGreaterThan(40);
    expect(log.text()).toContain(`/api/sessions/${id}/download`);
    for (const token of tokens) {
      for (const text of [log.text(), audit, stored, answers.join('\n')]) expect(text).not.toContain(token);
      expect(log.text()).not.toContain(hash(token).toString('hex'));
    }
  });
});
