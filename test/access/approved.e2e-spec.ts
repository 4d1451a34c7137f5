import { GrantStore } from '../../src/gate/ports/grant-store';
import { TargetDirectory } from '../../src/gate/ports/target-directory';
import { describeDataPath } from '../support/describe';
import {
  approve,
  approvedConnection,
  decide,
  hoursFromNow,
  listed,
  reviewRow,
} from '../support/approved-access';
import { ask, find, issue, revoke } from '../support/credentials';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Access that people must approve, from the request to its end: how it is requested and shown. */
describeDataPath('access that people approve', ({ path, gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));

  const issued = async (
    connection: string,
    ...[caller, body]: [caller?: Parameters<typeof issue>[1], body?: object]
  ) => {
    const answer = await issue(gateway, caller, body, connection);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const requested = async (
    connection: string,
    ...[caller, body]: [caller?: Parameters<typeof issue>[1], body?: object]
  ) => {
    const answer = await issue(gateway, caller, body, connection);
    expect(answer.status).toBe(202);
    return answer.body;
  };
  const countReviews = async (connection: string): Promise<number> => {
    const rows = await gateway.database.query('SELECT FROM reviews WHERE connection_name = $1', [connection]);
    return rows.length;
  };
  /** Simulates that the span has passed: moves the expiry of the request back. */
  const later = (id: string, span: string) =>
    gateway.database.query('UPDATE reviews SET expires_at = expires_at - $2::interval WHERE id = $1', [
      id,
      span,
    ]);
  const seconds = (from: string | Date, to: string | Date) =>
    Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1000);

  // promises: CREDENTIAL-3, REVIEW-4
  it('is requested: nobody is admitted, and the answer names the reviewers', async () => {
    const connection = await approvedConnection(path);
    const answer = await issue(gateway, 'alice', { access_duration_seconds: 1_800 }, connection);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([202, 'no-store']);
    expect(answer.body).toEqual({
      id: answer.body.review_id,
      connection_name: connection,
      reason: null,
      connection_type: 'database',
      connection_subtype: 'postgres',
      session_id: null,
      has_review: true,
      review_id: expect.stringMatching(UUID),
      expire_at: null,
      created_at: expect.stringMatching(/Z$/),
      connection_credentials: null,
    });
    expect(await reviewRow(gateway, answer.body.id)).toMatchObject({
      type: 'jit',
      status: 'PENDING',
      access_duration: 1_800,
      connection_name: connection,
      requester_subject: 'alice',
      session_id: null,
      revoke_at: null,
    });
    expect(await listed(gateway, 'alice', answer.body.id)).toMatchObject({
      status: 'pending',
      expire_at: null,
      revoked_at: null,
    });
    expect(await find(gateway, answer.body.id)).toBeUndefined();
  });

  // promises: CREDENTIAL-4
  it('requested again is the same request, at any gateway and with any duration', async () => {
    const connection = await approvedConnection(path);
    const first = await requested(connection);
    for (const where of [gateway, other]) {
      const again = await issue(where, 'alice', { access_duration_seconds: 60 }, connection);
      expect([again.status, again.body]).toEqual([202, first]);
    }
    const racing = await approvedConnection(path);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => issue(turn % 2 === 0 ? gateway : other, 'alice', {}, racing)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.review_id}`)).size).toBe(1);
    expect(await countReviews(racing)).toBe(1);
    expect((await requested(racing, 'bob')).review_id).not.toBe(answers[0]?.body.review_id);
  });

  // promises: CREDENTIAL-3
  it('is issued by the same call after all approvals, and not before', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection, 'alice', { access_duration_seconds: 1_800 });
    await decide(gateway, 'bob', id, { status: 'APPROVED' });
    expect((await requested(connection)).id).toBe(id);
    await decide(other, 'admin', id, { status: 'APPROVED' });
    expect(await listed(gateway, 'alice', id)).toMatchObject({ status: 'approved', expire_at: null });
    const given = await issued(connection);
    expect(given).toMatchObject({
      id,
      has_review: true,
      review_id: id,
      connection_credentials: {
        username: id,
        password: expect.stringMatching(/^[\w-]{43}$/),
        database_name: secretOf(path.target)['DB'],
      },
    });
    expect(seconds(new Date(), given.expire_at)).toBeGreaterThan(1_700);
    expect(seconds(new Date(), given.expire_at)).toBeLessThan(1_860);
    const review = await reviewRow(gateway, id);
    expect([review['status'], review['revoke_at']]).toEqual(['APPROVED', new Date(given.expire_at)]);
    expect(await listed(gateway, 'alice', id)).toMatchObject({
      status: 'active',
      expire_at: given.expire_at,
    });
    expect(await find(other, id)).toMatchObject({
      principal: { subject: 'alice' },
      expiresAt: new Date(given.expire_at),
    });
  });

  // promises: CREDENTIAL-4
  it('starts with its first use, and another password does not change its end', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    await approve(gateway, id);
    await new Promise((wait) => setTimeout(wait, 1_100));
    const one = await issued(connection, 'alice', { access_duration_seconds: 60 });
    expect(seconds((await reviewRow(gateway, id))['approved_at'] as Date, one.expire_at)).toBeGreaterThan(
      3_600,
    );
    const two = await issued(connection, 'alice', { access_duration_seconds: 7_200 });
    expect([two.id, two.expire_at]).toEqual([id, one.expire_at]);
    expect(two.connection_credentials.password).not.toBe(one.connection_credentials.password);
    await expect(
      gateway.database.query(
        `UPDATE connection_credentials SET expire_at = expire_at + interval '1 s' WHERE id = $1`,
        [id],
      ),
    ).rejects.toThrow(/cannot be changed/);
    expect(await countReviews(connection)).toBe(1);
  });

  // promises: RULE-6, CREDENTIAL-2
  it('lasts at most as long as the strictest rule allows', async () => {
    const connection = await approvedConnection(path, {}, { attributes: ['short'] });
    const rule = { access_type: 'jit', reviewers_groups: ['dba'], min_approvals: 1 };
    await gateway.call('admin', 'POST', '/access-requests/rules', {
      ...rule,
      name: 'short',
      attributes: ['short'],
      access_max_duration: 600,
    });
    const beyond = await issue(gateway, 'alice', { access_duration_seconds: 601 }, connection);
    expect([beyond.status, beyond.body.message]).toEqual([
      422,
      'access_duration_seconds must be at most 600 here',
    ]);
    expect(await countReviews(connection)).toBe(0);
    const { id } = await requested(connection);
    expect(await reviewRow(gateway, id)).toMatchObject({
      access_duration: 600,
      access_request_rule_name: `${connection}, short`,
    });
  });

  it.each([
    ['REJECTED', 'rejected'],
    ['REVOKED', 'revoked'],
  ] as const)('that was %s is asked for anew', async (status, shown) => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    await decide(gateway, 'bob', id, { status });
    expect(await listed(gateway, 'alice', id)).toMatchObject({ status: shown });
    const next = await requested(connection);
    expect(next.id).not.toBe(id);
    await approve(gateway, next.id);
    expect((await issued(connection)).id).toBe(next.id);
    expect(await find(gateway, id)).toBeUndefined();
  });

  it('is a new request after expiry of the review, the approval or the grant', async () => {
    const connection = await approvedConnection(path);
    const undecided = await requested(connection);
    await later(undecided.id, '73 hours');
    const unused = await requested(connection);
    await approve(gateway, unused.id);
    await later(unused.id, '25 hours');
    const over = await requested(connection);
    await gateway.database.query('UPDATE reviews SET access_duration = 1 WHERE id = $1', [over.id]);
    await approve(gateway, over.id);
    await issued(connection);
    await eventually('its time is over', async () => (await find(gateway, over.id)) === undefined);
    expect((await requested(connection)).id).not.toBe(over.id);
    for (const { id } of [undecided, unused, over]) {
      await eventually('it has expired', async () => (await reviewRow(gateway, id))['status'] === 'EXPIRED');
      expect(await listed(gateway, 'alice', id)).toMatchObject({ status: 'expired', revoked_at: null });
    }
  });

  // promises: CREDENTIAL-6
  it('is revoked by its owner or an admin, pending or issued; idempotent', async () => {
    const connection = await approvedConnection(path);
    for (const [person, isGiven] of [
      ['alice', false],
      ['admin', false],
      ['alice', true],
      ['admin', true],
    ] as const) {
      const { id } = await requested(connection);
      if (isGiven) {
        await approve(gateway, id);
        await issued(connection);
      }
      expect((await revoke(gateway, 'bob', id, connection)).status).toBe(404);
      for (const who of [person, 'alice'] as const)
        expect((await revoke(gateway, who, id, connection)).status).toBe(204);
      expect(await reviewRow(gateway, id)).toMatchObject({ status: 'REVOKED' });
      expect(await listed(gateway, 'alice', id)).toMatchObject({
        status: 'revoked',
        revoked_at: expect.stringMatching(/Z$/),
      });
      expect(await find(gateway, id)).toBeUndefined();
    }
  });

  // promises: CREDENTIAL-8
  it('is usable by its owner only', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    await approve(gateway, id);
    const { connection_credentials: client } = await issued(connection);
    expect((await requested(connection, 'bob', { id, review_id: id, has_review: false })).id).not.toBe(id);
    const auditor = await issue(gateway, 'auditor', {}, connection);
    expect(auditor.status).toBe(403);
    for (const person of ['bob', 'admin', 'auditor'] as const)
      expect(await listed(gateway, person, id)).toBeUndefined();
    const { body: key } = await gateway.call('admin', 'POST', '/api-keys', { name: 'of-approved' });
    const ofMachine = await ask(
      gateway,
      { key: key.key },
      'POST',
      `/connections/${connection}/credentials`,
      {},
    );
    expect([ofMachine.status, ofMachine.body.id === id]).toEqual([202, false]);
    expect(client.username).toBe(id);
  });

  it('uses the review’s copy of the rules, and is for one connection, not for its name', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    const change = { access_max_duration: 60, min_approvals: 1, reviewers_groups: ['engineering'] };
    const rule = (await gateway.call('admin', 'GET', `/access-requests/rules/${connection}`)).body;
    expect(
      (await gateway.call('admin', 'PUT', `/access-requests/rules/${connection}`, { ...rule, ...change }))
        .status,
    ).toBe(200);
    await decide(gateway, 'bob', id, { status: 'APPROVED' });
    expect((await requested(connection)).id).toBe(id);
    await decide(gateway, 'admin', id, { status: 'APPROVED' });
    const given = await issued(connection);
    expect(seconds(new Date(), given.expire_at)).toBeGreaterThan(3_000);
    const waiting = await requested(connection, 'bob');
    expect((await gateway.call('admin', 'DELETE', `/connections/${connection}`)).status).toBe(204);
    expect((await issue(gateway, 'alice', {}, connection)).status).toBe(404);
    expect((await decide(gateway, 'alice', waiting.id, { status: 'APPROVED' })).status).toBe(409);
    expect(await find(gateway, id)).toBeUndefined();
    await path.connect(connection);
    expect((await requested(connection)).id).not.toBe(id);
  });

  it('needs no approval after the rule is gone, and is then an ordinary credential', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    await gateway.call('admin', 'DELETE', `/access-requests/rules/${connection}`);
    const free = await issued(connection);
    expect([free.id === id, free.has_review]).toEqual([false, false]);
  });

  describe('within hours of the day', () => {
    const hours = (from: number, to: number) => ({ time_window: hoursFromNow(from, to) });

    it('is not issued outside them, and does not start', async () => {
      const connection = await approvedConnection(path);
      const { id } = await requested(connection);
      const closed = hours(120, 180);
      await approve(gateway, id, closed);
      const { start_time, end_time } = closed.time_window.configuration;
      const answer = await issue(gateway, 'alice', {}, connection);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        `the approval can be used from ${start_time} to ${end_time} UTC only`,
      ]);
      expect(await reviewRow(gateway, id)).toMatchObject({ status: 'APPROVED', revoke_at: null });
      expect(await listed(gateway, 'alice', id)).toMatchObject({ status: 'approved' });
    });

    it('admits until they or the grant end', async () => {
      const grants = gateway.app.get(GrantStore, { strict: false });
      for (const [to, expected] of [
        [30, 'hours'],
        [600, 'access'],
      ] as const) {
        const connection = await approvedConnection(path);
        const { id } = await requested(connection);
        const open = hours(-30, to);
        await approve(gateway, id, open);
        const { expire_at } = await issued(connection);
        const { principal } = (await find(gateway, id)) ?? {};
        if (principal === undefined) throw new Error('it was not found');
        const target = await gateway.app.get(TargetDirectory, { strict: false }).find(principal, connection);
        if (target === undefined) throw new Error('there is no target');
        const leave = await grants.use(principal, target, null);
        if (leave.kind !== 'held') throw new Error(`it is ${leave.kind}`);
        expect(leave.credentialId).toBe(id);
        if (expected === 'access') expect(leave.until).toEqual(new Date(expire_at));
        else
          expect(leave.until.toISOString().slice(11, 19)).toBe(
            `${open.time_window.configuration.end_time}:00`,
          );
      }
    });
  });

  it('is for machines too; the creator of the key cannot approve', async () => {
    const connection = await approvedConnection(path, {
      reviewers_groups: ['dba', 'admin'],
      min_approvals: 1,
    });
    const { body: key } = await gateway.call('admin', 'POST', '/api-keys', { name: 'nightly' });
    const { id } = await requested(connection, { key: key.key });
    expect((await decide(gateway, 'admin', id, { status: 'APPROVED' })).status).toBe(403);
    expect((await decide(gateway, 'bob', id, { status: 'APPROVED' })).status).toBe(200);
    expect((await issued(connection, { key: key.key })).id).toBe(id);
    expect(await find(gateway, id)).toMatchObject({ principal: { subject: `api-key:${key.id}` } });
    await gateway.call('admin', 'DELETE', `/api-keys/${key.id}`);
    await eventually('it is of no use', async () => (await find(gateway, id)) === undefined);
  });

  it('is requested and issued without errors while its connection is being deleted', async () => {
    for (let round = 0; round < volume(4, 10); round++) {
      const connection = await approvedConnection(path);
      if (round % 2 === 0) await approve(gateway, (await requested(connection)).id);
      const asking = [gateway, other, gateway].map((where) => issue(where, 'alice', {}, connection));
      const { status } = await gateway.call('admin', 'DELETE', `/connections/${connection}`);
      expect(status).toBe(204);
      for (const answer of await Promise.all(asking)) expect([201, 202, 404]).toContain(answer.status);
      const left = await gateway.database.query(
        `SELECT id FROM connection_credentials WHERE org_id IN (SELECT id FROM organizations)
           AND review_id IN (SELECT id FROM reviews WHERE connection_name = $1)`,
        [connection],
      );
      expect(left).toEqual([]);
      const open = await gateway.database.query(
        `SELECT id FROM reviews WHERE connection_name = $1 AND status IN ('PENDING', 'APPROVED')`,
        [connection],
      );
      expect(open).toEqual([]);
    }
  });

  it.each([
    [
      'has no password before it begins',
      false,
      `iterations = 4096, salt = decode(repeat('00', 16), 'hex'),
      stored_key = decode(repeat('00', 32), 'hex'), server_key = decode(repeat('00', 32), 'hex')`,
    ],
    ['begins and ends, or neither', false, 'begun_at = now()'],
    [
      'ends after 48 hours at most',
      false,
      `begun_at = now(), expire_at = now() + interval '48 hours 1 second'`,
    ],
    ['ends when it ends', true, `expire_at = expire_at + interval '1 second'`],
    ['begins once', true, `begun_at = now(), expire_at = now() + interval '1 hour'`],
    ['is not undone', true, 'begun_at = NULL, expire_at = NULL'],
    ['stays of its review', true, 'review_id = NULL'],
    ['stays of its owner', false, 'user_id = gen_random_uuid()'],
    ['stays of its connection', false, 'connection_id = gen_random_uuid()'],
  ])('by the database’s own word %s', async (_, isGiven, change) => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    if (isGiven) {
      await approve(gateway, id);
      await issued(connection);
    }
    await expect(
      gateway.database.query(`UPDATE connection_credentials SET ${change} WHERE id = $1`, [id]),
    ).rejects.toThrow(/cannot be changed|violates check constraint/);
  });

  it('is in the audit log: requested and issued, without its password', async () => {
    const connection = await approvedConnection(path);
    const { id } = await requested(connection);
    await approve(gateway, id);
    const { connection_credentials: client, expire_at } = await issued(connection);
    const { body, text } = await gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=connection-credentials',
    );
    const lines = body.data.filter((line: { resource_id: string }) => line.resource_id === id);
    expect(lines.map((line: Record<string, unknown>) => [line['action'], line['status']])).toEqual([
      ['update', 201],
      ['create', 202],
    ]);
    expect(lines[0].changes).toContainEqual({ field: 'expire_at', before: null, after: expire_at });
    expect(text).not.toContain(client.password);
  });

  // promises: WEBHOOK-9
  it('that is revoked causes one webhook event', async () => {
    await gateway.database.query(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['access.revoked'], '\\x00' FROM organizations`,
    );
    const connection = await approvedConnection(path);
    const told = () =>
      gateway.database.query<{ data: Record<string, unknown> }>(
        `SELECT data FROM outbox WHERE type = 'access.revoked' AND data #>> '{connection,name}' = $1 ORDER BY position`,
        [connection],
      );
    const rejected = await requested(connection);
    await decide(gateway, 'bob', rejected.id, { status: 'REJECTED' });
    const { id } = await requested(connection);
    await approve(gateway, id);
    await issued(connection);
    await revoke(gateway, 'alice', id, connection);
    await revoke(gateway, 'alice', id, connection);
    expect((await told()).map(({ data }) => data)).toEqual([
      {
        credential_id: id,
        review_id: id,
        connection: { id: expect.stringMatching(UUID), name: connection, subtype: 'postgres' },
        user: { id: 'alice', email: 'alice@example.com', name: 'Alice Engineer', identity_type: 'user' },
        reason: 'revoked',
        revoked_by: {
          id: 'alice',
          email: 'alice@example.com',
          name: 'Alice Engineer',
          identity_type: 'user',
        },
      },
    ]);
    const plain = (await issue(gateway, 'alice')).body;
    await revoke(gateway, 'admin', plain.id);
    const [own] = await gateway.database.query<{ data: object }>(
      `SELECT data FROM outbox WHERE data ->> 'credential_id' = $1`,
      [plain.id],
    );
    expect(own?.data).toMatchObject({
      review_id: null,
      connection: { name: 'orders' },
      user: { id: 'alice' },
      revoked_by: { id: 'admin', identity_type: 'user' },
    });
  });
});
