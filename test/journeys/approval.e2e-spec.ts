import { describeDataPath } from '../support/describe';
import { approve, approvedConnection, decide } from '../support/approved-access';
import { issue } from '../support/credentials';
import { SLOWEST, eventually } from '../support/eventually';
import { IMPATIENT, WebhookReceiver, isSigned, subscribe } from '../support/webhook-receiver';
import { Visitor } from '../support/visitor';

const EVENTS = [
  'review.requested',
  'review.decided',
  'session.started',
  'session.blocked',
  'session.ended',
  'access.revoked',
];

/**
 * Tests a script and temporary access from the request to the end: one rule, two approvals, one run, a
 * revocation, and all notifications.
 */
describeDataPath('the whole way of a request', { environment: IMPATIENT }, ({ path }) => {
  let receiver: WebhookReceiver;
  let secret: string;
  let connection: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    ({ secret } = await subscribe(path.gateway, receiver.url, EVENTS));
    connection = await approvedConnection(path, { access_type: 'jit_command' });
  });

  afterAll(async () => {
    await receiver.close();
  });

  // promises: SERVICE-3, EXEC-1, EXEC-2, WEBHOOK-1
  it('of a script: asked for, approved by two, run once, recorded, told', async () => {
    await path.target.query('CREATE TABLE deeds (what text)');
    const script = `INSERT INTO deeds VALUES ('done')`;
    const asked = await path.run(script, { connection }, 'alice');
    expect([asked.status, asked.body.has_review]).toEqual([202, true]);
    const { session_id: id, review_id: review } = asked.body;
    const exec = () => path.gateway.call('alice', 'POST', `/sessions/${id}/exec`);
    expect((await exec()).status).toBe(409);
    await decide(path.gateway, 'bob', review, { status: 'APPROVED' });
    expect((await exec()).status).toBe(409);
    expect(await path.target.query('SELECT FROM deeds')).toHaveLength(0);
    await decide(path.gateway, 'admin', review, { status: 'APPROVED' });
    expect((await path.read(id)).body).toMatchObject({ status: 'ready', review: { status: 'APPROVED' } });
    const ran = await exec();
    expect([ran.status, ran.body.output_status]).toEqual([200, 'success']);
    expect((await exec()).status).toBe(409);
    expect(await path.target.query('SELECT FROM deeds')).toHaveLength(1);
    expect(await path.recording(id)).toContainEqual(['i', script]);
    expect((await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body.status).toBe('valid');
    await receiver.has(4, id);
    expect(receiver.types(id)).toEqual([
      'session.started',
      'review.requested',
      'review.decided',
      'session.ended',
    ]);
    const [decided] = receiver.received.filter(({ body }) => body.type === 'review.decided');
    expect(decided?.body.data).toMatchObject({
      review_id: review,
      status: 'APPROVED',
      forced: false,
      requester: { id: 'alice' },
      decided_by: { id: 'admin' },
      rules: [{ name: connection }],
    });
  });

  it('of access for a while: asked for, approved by two, used, revoked while its session runs, told', async () => {
    const asked = await issue(path.gateway, 'alice', {}, connection);
    expect([asked.status, asked.body.connection_credentials]).toEqual([202, null]);
    const review = asked.body.review_id;
    await approve(path.gateway, review);
    const { status, body } = await issue(path.gateway, 'alice', {}, connection);
    expect(status).toBe(201);
    const { username: user, password } = body.connection_credentials;
    const visitor = await Visitor.enter(path, { user, password, connection });
    expect((await visitor.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    const { id } = await visitor.session();
    const revokedAt = Date.now();
    const revoked = await decide(path.gateway, 'bob', review, { status: 'REVOKED' });
    expect(revoked.status).toBe(200);
    expect(await visitor.lastWords()).toContain('revoked');
    // A revocation takes effect within 5 s.
    expect(Date.now() - revokedAt).toBeLessThan(5_000 * SLOWEST);
    await expect(Visitor.enter(path, { user, password, connection })).rejects.toThrow();
    await receiver.has(2, id);
    expect(receiver.types(id)).toEqual(['session.started', 'session.ended']);
    // Messages about the review arrive in order. Messages about the session may arrive between them.
    const ofReview = await eventually('all of the review has come', async () => {
      const come = receiver.received.filter(({ body: { data } }) => data['review_id'] === review);
      return come.length >= 4 && come;
    });
    expect(
      ofReview.map(({ body: { type, data } }) => [type, data['status'] ?? data['reason'] ?? null]),
    ).toEqual([
      ['review.requested', null],
      ['review.decided', 'APPROVED'],
      ['access.revoked', 'revoked'],
      ['review.decided', 'REVOKED'],
    ]);
    for (const message of receiver.received) expect(await isSigned(message, secret)).toBe(true);
  });
});
