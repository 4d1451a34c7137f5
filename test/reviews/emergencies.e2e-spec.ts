import { as } from '../support/callers';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { type TestGateway, startGateway } from '../support/gateway';
import { purge } from '../support/retention';
import { Visitor } from '../support/visitor';

/** `Olga` is a second account of the person olga: another subject, but the same e-mail address. */
const PEOPLE = { olga: [], omar: [], oona: [], Olga: ['dba'], max: ['management'], eve: ['others'] };
const ON_CALL = ['olga', 'omar', 'oona'];
const WHY = { reason: 'INC-204: payments are down' };
const MINUTE_MS = 60_000;

describeReviewPath('an emergency', { people: PEOPLE }, ({ path, gateway, begin }) => {
  const beside = begin(() => startGateway({ beside: gateway }));

  beforeAll(async () => {
    await path.sql(
      `INSERT INTO webhooks (org_id, url, events, secret)
       SELECT id, 'https://hooks.example.com/', ARRAY['review.requested', 'review.decided', 'review.signed_off'], '\\x00' FROM organizations`,
    );
    for (const name of ON_CALL) await setGroups(name, ['on-call']);
  });

  const setGroups = async (name: string, groups: string[]): Promise<void> => {
    expect((await path.by('admin', 'PATCH', `/users/${name}`, { groups })).status).toBe(200);
  };
  const guarded = (rule: object = {}, connection: object = {}) =>
    path.reviewed(
      { reviewers_groups: ['dba'], force_approval_groups: ['management'], min_approvals: 2, ...rule },
      { emergency_access_groups: ['on-call'], ...connection },
    );
  const declare = (name: string, id: string, body: object = WHY, on: TestGateway = gateway) =>
    path.by(name, 'POST', `/reviews/${id}/emergency`, body, on);
  const signOff = (name: string, id: string) =>
    path.by(name, 'POST', `/reviews/${id}/sign-off`, { comment: 'INC-204, correct' });
  const exec = (name: string, sessionId: string) => path.by(name, 'POST', `/sessions/${sessionId}/exec`, {});
  const credentials = (name: string, connection: string, body: object = {}) =>
    path.by(name, 'POST', `/connections/${connection}/credentials`, body);
  const toSignOff = async (name: string): Promise<string[]> => {
    const { body } = await path.by(name, 'GET', '/reviews?mine=to_sign_off');
    return (body.data as { id: string }[]).map(({ id }) => id);
  };
  const verified = async (sessionId: string): Promise<string> =>
    (await path.by('auditor', 'GET', `/sessions/${sessionId}/verify`)).body.status;
  const auditedLast = async (id: string): Promise<unknown> => {
    const { body } = await path.by('admin', 'GET', '/audit/logs?resource_type=reviews');
    return (body.data as { resource_id: string }[]).find((line) => line.resource_id === id);
  };
  /** Requests access for a while and declares an emergency for it. Returns the id of the review. */
  const opened = async (name: string, connection: string, body?: object): Promise<string> => {
    const asked = await credentials(name, connection, body);
    expect(asked.status).toBe(202);
    expect((await declare(name, asked.body.review_id)).status).toBe(200);
    return asked.body.review_id as string;
  };
  const enter = async (name: string, connection: string, where: TestGateway = gateway): Promise<Visitor> => {
    const { status, body } = await credentials(name, connection);
    expect(status).toBe(201);
    const { username: user, password } = body.connection_credentials;
    return Visitor.enter(path, { user, password, connection, gateway: where });
  };

  // promises: EMERGENCY-1, EMERGENCY-6, REVIEW-21
  it('journey: a script of the own is opened at once, told, marked, runs once, and is signed off by another person', async () => {
    const connection = await guarded();
    const { id, sessionId } = await path.ask(connection, 'olga');
    const declared = await declare('olga', id);
    expect([declared.status, declared.body]).toMatchObject([
      200,
      { status: 'APPROVED', emergency: true, force_reason: WHY.reason, after_review: 'open', sign_off: null },
    ]);
    const told = await path.sql<{ type: string; data: object }>(
      `SELECT type, data FROM outbox WHERE data ->> 'review_id' = $1 ORDER BY position`,
      [id],
    );
    expect(told).toMatchObject([
      { type: 'review.requested', data: { groups: ['dba', 'management'] } },
      {
        type: 'review.decided',
        data: {
          status: 'APPROVED',
          emergency: true,
          forced: true,
          groups: ['dba', 'management'],
          force_reason: WHY.reason,
          decided_by: { id: 'olga' },
          requester: { id: 'olga' },
        },
      },
    ]);
    expect(await auditedLast(id)).toMatchObject({
      actor: { id: 'olga' },
      outcome: 'success',
      changes: expect.arrayContaining([
        { field: 'status', before: 'PENDING', after: 'APPROVED' },
        { field: 'emergency', before: false, after: true },
        { field: 'force_reason', before: null, after: WHY.reason },
      ]),
    });

    expect((await signOff('bob', id)).body.message).toMatch(/^the approval can still be used/);
    expect((await exec('olga', sessionId)).body).toMatchObject({ output_status: 'success' });
    expect((await exec('olga', sessionId)).status).toBe(409);
    const session = await path.by('bob', 'GET', `/sessions/${sessionId}`);
    expect(session.body.review).toMatchObject({ emergency: true, after_review: 'open' });
    expect(await verified(sessionId)).toBe('valid');
    await path.sql('UPDATE reviews SET emergency = false WHERE id = $1', [id]);
    expect(await verified(sessionId)).toBe('broken');
    await path.sql('UPDATE reviews SET emergency = true WHERE id = $1', [id]);
    const open = await path.by('admin', 'GET', '/sessions?review.after_review=open');
    expect((open.body.data as { id: string }[]).map((one) => one.id)).toContain(sessionId);

    for (const name of ['bob', 'max', 'admin']) expect(await toSignOff(name)).toContain(id);
    for (const name of ['olga', 'omar', 'eve', 'auditor']) expect(await toSignOff(name)).not.toContain(id);
    expect((await signOff('bob', id)).body).toMatchObject({ after_review: 'signed_off' });
    expect(await toSignOff('admin')).not.toContain(id);
  });

  // promises: REVIEW-21
  it('is not signed off by its requester under any name', async () => {
    const connection = await guarded();
    await setGroups('olga', ['on-call', 'dba', 'admin']);
    const made = await path.by('olga', 'POST', '/api-keys', { name: 'robot', groups: ['dba', 'admin'] });
    const { id, sessionId } = await path.ask(connection, 'olga');
    await declare('olga', id);
    await exec('olga', sessionId);
    const byKey = await as(gateway, made.body.key, 'POST', `/reviews/${id}/sign-off`, { comment: 'fine' });
    const answers = [await signOff('olga', id), byKey, await signOff('Olga', id)];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [403, 'you cannot sign off your own request'],
      [403, 'API keys cannot sign off'],
      [403, expect.stringMatching(/^another account with your e-mail address/)],
    ]);
    expect(await toSignOff('Olga')).not.toContain(id);
    expect((await signOff('bob', id)).status).toBe(200);

    // A request that an API key makes counts as a request of the person who owns the key.
    const script = { connection, script: 'SELECT 1' };
    const { body } = await as(gateway, made.body.key, 'POST', '/sessions', script);
    await path.say('max', body.review_id, { status: 'APPROVED', force_review: true, force_reason: 'urgent' });
    await path.say('max', body.review_id, { status: 'REVOKED' });
    for (const name of ['olga', 'Olga', 'max'])
      expect((await signOff(name, body.review_id)).status).toBe(403);
    expect((await signOff('bob', body.review_id)).status).toBe(200);
    await setGroups('olga', ['on-call']);
  });

  // promises: EMERGENCY-2
  it('is for the person who asked, and for nobody else', async () => {
    const connection = await guarded();
    const { id } = await path.ask(connection, 'olga');
    for (const [name, status, message] of [
      ['omar', 404, 'there is no review with this id'],
      ['eve', 404, 'there is no review with this id'],
      ['bob', 403, 'only the person who asked may declare an emergency'],
      ['admin', 403, 'only the person who asked may declare an emergency'],
      ['auditor', 403, 'auditors may read, but change nothing'],
    ] as const)
      expect([name, await declare(name, id)]).toMatchObject([name, { status, body: { message } }]);
    for (const reason of ['', ' ', '\u200b', '\u2800\n', 'a\u0000', null, 7])
      expect((await declare('olga', id, { reason })).status).toBeGreaterThanOrEqual(400);

    const own = await path.ask(connection, 'admin');
    expect(await declare('admin', own.id)).toMatchObject({
      status: 403,
      body: { message: `none of your groups may open the connection ${connection} in an emergency` },
    });
    const made = await path.by('admin', 'POST', '/api-keys', {
      name: 'on-call',
      groups: ['on-call', 'admin'],
    });
    const key = made.body.key as string;
    const script = { connection, script: 'SELECT 1' };
    const ofKey = (await as(gateway, key, 'POST', '/sessions', script)).body.review_id as string;
    await setGroups('admin', ['on-call']);
    const answers = [
      await as(gateway, key, 'POST', `/reviews/${ofKey}/emergency`, WHY),
      await as(gateway, key, 'POST', `/reviews/${own.id}/emergency`, WHY),
      await declare('admin', ofKey),
    ];
    await setGroups('admin', []);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    for (const review of [id, own.id, ofKey])
      expect((await path.by('admin', 'GET', `/reviews/${review}`)).body).toMatchObject({
        status: 'PENDING',
        emergency: false,
        after_review: null,
      });
  });

  // promises: EMERGENCY-2
  it('is declared once, by the right that holds now, on what nobody has decided', async () => {
    const connection = await guarded();
    const { id } = await path.ask(connection, 'olga');
    const raced = await Promise.all(
      [gateway, beside, gateway, beside].map((on) => declare('olga', id, WHY, on)),
    );
    expect(raced.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);

    const rejected = await path.ask(connection, 'olga');
    await path.say('bob', rejected.id, { status: 'REJECTED' });
    expect((await declare('olga', rejected.id)).status).toBe(409);

    const later = await path.ask(connection, 'olga');
    await path.by('admin', 'PATCH', `/connections/${connection}`, { emergency_access_groups: ['night'] });
    expect((await declare('olga', later.id)).status).toBe(403);
    const all = await path.by('admin', 'PATCH', `/connections/${connection}`, {
      emergency_access_groups: ['*'],
    });
    expect(all.body.warnings).toContainEqual(expect.stringMatching(/^emergency_access_groups has "\*"/));
    await setGroups('olga', []);
    expect((await declare('olga', later.id)).status).toBe(200);
    await setGroups('olga', ['on-call']);
  });

  // promises: EMERGENCY-3, EMERGENCY-1
  it('gives access for a while, which ends when it was said to, whenever it was first used', async () => {
    const connection = await guarded({ access_type: 'jit_command' });
    const id = await opened('omar', connection, { access_duration_seconds: 7_200 });
    const { body } = await path.by('omar', 'GET', `/reviews/${id}`);
    expect(body.access_duration).toBe(3_600);
    expect(new Date(body.expires_at).getTime() - new Date(body.approved_at).getTime()).toBe(60 * MINUTE_MS);
    // Simulates that the emergency was declared fifty minutes ago.
    await path.sql(`UPDATE reviews SET expires_at = expires_at - interval '50 minutes' WHERE id = $1`, [id]);
    const inside = await enter('omar', connection, beside);
    const credential = await path.sql<{ left: number }>(
      `SELECT extract(epoch FROM expire_at - now())::float AS left FROM connection_credentials WHERE id = $1`,
      [id],
    );
    expect(credential[0]?.left).toBeGreaterThan(0);
    expect(credential[0]?.left).toBeLessThanOrEqual(600);
    const session = await inside.session();
    const shown = await path.by('bob', 'GET', `/sessions/${session.id}`);
    expect(shown.body.review).toMatchObject({ emergency: true, after_review: 'open' });
    // A reviewer can end the emergency.
    expect((await path.say('bob', id, { status: 'REVOKED' })).status).toBe(200);
    expect(await inside.lastWords()).toBe('FATAL 57P01: The review was revoked by bob@example.com.');
    expect((await signOff('bob', id)).status).toBe(200);
  });

  // promises: EMERGENCY-4
  it.each<[string, (connection: string) => Promise<unknown>, RegExp]>([
    [
      'leaves the group',
      () => setGroups('oona', []),
      /is not in an emergency group of the connection any more/,
    ],
    [
      'is in a group that the connection loses',
      (connection) =>
        path.by('admin', 'PATCH', `/connections/${connection}`, { emergency_access_groups: ['night'] }),
      /is not in an emergency group of the connection any more/,
    ],
    ['is deactivated', () => path.setStatus('oona', 'inactive'), /may no longer act|not active|inactive/],
  ])('ends at every gateway when its requester %s', async (_, takeAway, words) => {
    await path.setStatus('oona', 'active');
    await setGroups('oona', ['on-call']);
    const connection = await guarded({ access_type: 'jit_command' });
    const id = await opened('oona', connection);
    const inside = [await enter('oona', connection), await enter('oona', connection, beside)];
    const script = await path.ask(connection, 'oona');
    await declare('oona', script.id);
    await takeAway(connection);
    for (const visitor of inside) expect(await visitor.lastWords()).toMatch(words);
    await eventually('both are revoked', async () => {
      const rows = await path.sql<{ status: string }>('SELECT status FROM reviews WHERE id = ANY ($1)', [
        [id, script.id],
      ]);
      return rows.every(({ status }) => status === 'REVOKED');
    });
    expect(await auditedLast(script.id)).toMatchObject({
      actor: { id: 'gateway' },
      changes: expect.arrayContaining([{ field: 'status', before: 'APPROVED', after: 'REVOKED' }]),
    });
    // A revoked emergency still needs a sign-off.
    expect(await toSignOff('bob')).toEqual(expect.arrayContaining([id, script.id]));
  });

  // promises: EMERGENCY-5
  it('opens nothing that groups, switches and guardrails close', async () => {
    const connection = await guarded();
    const { id, sessionId } = await path.ask(connection, 'olga');
    await declare('olga', id);
    await path.by('admin', 'PATCH', `/connections/${connection}`, { access_mode_exec: 'disabled' });
    expect((await exec('olga', sessionId)).status).toBe(403);
    await path.by('admin', 'PATCH', `/connections/${connection}`, {
      access_mode_exec: 'enabled',
      access_groups: ['dba'],
    });
    const setAccessControl = (access_control: boolean) =>
      path.by('admin', 'PATCH', '/organization', { features: { access_control } });
    await setAccessControl(true);
    const ran = await exec('olga', sessionId);
    const asked = await path.by('olga', 'POST', '/sessions', { connection, script: 'SELECT 1' });
    await setAccessControl(false);
    expect([ran.status, asked.status]).toEqual([409, 404]);
    const rule = await path.by('admin', 'POST', '/guardrails', {
      name: `no-${connection}`,
      input: { rules: [{ type: 'deny_words_list', words: ['SELECT'] }] },
    });
    await path.by('admin', 'PATCH', `/connections/${connection}`, {
      access_groups: ['*'],
      guardrail_rules: [rule.body.id],
    });
    expect((await exec('olga', sessionId)).body).toMatchObject({ output_status: 'blocked', exit_code: 254 });
  });

  // promises: EMERGENCY-6
  it('is signed off after its recording was removed, and its connection deleted', async () => {
    const connection = await guarded({}, { retention_days: 1 });
    const { id, sessionId } = await path.ask(connection, 'olga');
    await declare('olga', id);
    await exec('olga', sessionId);
    await path.sql(
      `UPDATE sessions SET start_date = start_date - interval '9 days', end_date = end_date - interval '9 days' WHERE id = $1`,
      [sessionId],
    );
    await purge(gateway);
    expect((await path.by('admin', 'GET', `/sessions/${sessionId}`)).body.recording_purged_at).not.toBeNull();
    expect((await path.by('admin', 'DELETE', `/connections/${connection}`)).status).toBe(204);
    expect(await toSignOff('bob')).toContain(id);
    expect((await signOff('bob', id)).status).toBe(200);
  });
});
