import { approve, approvedConnection } from '../support/approved-access';
import { issue } from '../support/credentials';
import { describeReviewPath } from '../support/describe';
import { Visitor, signInOf } from '../support/visitor';

const PEOPLE = { carol: ['dba'], sam: ['security'], max: ['management'], eve: ['sales'] };

describeReviewPath('the context of a review', { people: PEOPLE }, ({ path }) => {
  const contextOf = (name: string, id: string) => path.by(name, 'GET', `/reviews/${id}/context`);
  const ask = async (connection: string, script: string): Promise<string> => {
    const answer = await path.by('alice', 'POST', '/sessions', { connection, script });
    expect(answer.status).toBe(202);
    return answer.body.review_id as string;
  };

  // promises: REVIEW-19
  it('says what each statement of the script does, as guardrails read it', async () => {
    const connection = await path.reviewed({ reviewers_groups: ['dba'] });
    const script = `SELECT * FROM public.orders; DELETE FROM "Customers"; DO $$ BEGIN PERFORM 1; END $$`;
    const id = await ask(connection, script);
    const { status, body } = await contextOf('carol', id);
    expect(status).toBe(200);
    expect(body.script).toMatchObject({ total: 3, fault: null });
    const [select, remove, block] = body.script.statements;
    expect(select).toEqual({
      start: 0,
      end: script.indexOf(';'),
      kinds: ['select'],
      without_where: false,
      tables: [{ schema: 'public', name: 'orders', is_written: false }],
      hidden: [],
    });
    expect(remove).toMatchObject({
      kinds: ['delete'],
      without_where: true,
      tables: [{ schema: null, name: 'Customers', is_written: true }],
    });
    expect(block.hidden).not.toEqual([]);
  });

  // promises: REVIEW-19
  it('says why a script cannot be read, and shows the first hundred of many statements', async () => {
    const connection = await path.reviewed({ reviewers_groups: ['dba'] });
    const broken = await contextOf('carol', await ask(connection, 'SELEC 1'));
    expect(broken.body.script).toEqual({ total: 0, statements: [], fault: expect.stringMatching(/\w/) });
    // The script is long enough to be parsed in a worker thread.
    const many = await contextOf('carol', await ask(connection, 'SELECT 1;\n'.repeat(2_000)));
    expect(many.body.script).toMatchObject({ total: 2_000, fault: null });
    expect(many.body.script.statements).toHaveLength(100);
  });

  // promises: REVIEW-19
  it('lists what the same person was approved before for the same connection, newest first, to those who may see it', async () => {
    const connection = await path.reviewed({ reviewers_groups: ['dba'] });
    const other = await path.reviewed({ reviewers_groups: ['dba'] });
    const approved: string[] = [];
    for (const script of ['SELECT 1', 'SELECT 2']) {
      const id = await ask(connection, script);
      expect((await path.say('bob', id, { status: 'APPROVED' })).status).toBe(200);
      approved.unshift(id);
    }
    const elsewhere = await ask(other, 'SELECT 1');
    await path.say('bob', elsewhere, { status: 'APPROVED' });
    const rejected = await ask(connection, 'SELECT 3');
    await path.say('bob', rejected, { status: 'REJECTED' });
    const id = await ask(connection, 'SELECT 4');
    const idsFor = async (name: string): Promise<string[]> =>
      (await contextOf(name, id)).body.earlier.map((one: { id: string }) => one.id);
    expect(await idsFor('carol')).toEqual(approved);
    expect(await idsFor('alice')).toEqual(approved);
    expect((await contextOf('carol', approved[1] ?? '')).body.earlier).toEqual([]);
    // The rule now names another reviewer group. Its members see the new request, but not earlier requests.
    await path.sql('UPDATE access_request_rules SET reviewers_groups = $1 WHERE connection_names = $2', [
      ['security'],
      [connection],
    ]);
    const later = await ask(connection, 'SELECT 5');
    const { body } = await contextOf('sam', later);
    expect(body.earlier).toEqual([]);
    expect((await contextOf('admin', later)).body.earlier).toHaveLength(2);
  });

  // promises: REVIEW-19
  it('is for those who see the review', async () => {
    const connection = await path.reviewed({ reviewers_groups: ['dba'] });
    const id = await ask(connection, 'SELECT 1');
    for (const name of ['alice', 'carol', 'admin', 'auditor'])
      expect((await contextOf(name, id)).status).toBe(200);
    for (const name of ['eve', 'sam']) expect((await contextOf(name, id)).status).toBe(404);
    expect((await contextOf('carol', 'c56a4180-65aa-42ec-a945-5fd21dec0538')).status).toBe(404);
    expect((await contextOf('carol', 'not-an-id')).status).toBe(400);
  });

  // promises: REVIEW-19
  it('lists the sessions that ran under an approval for a while', async () => {
    const { gateway } = path;
    const connection = await approvedConnection(path);
    const { body } = await issue(gateway, 'alice', {}, connection);
    const id = body.review_id as string;
    expect((await contextOf('bob', id)).body).toEqual({ script: null, earlier: [], sessions: [] });
    await approve(gateway, id);
    const ran: string[] = [];
    for (let time = 0; time < 2; time++) {
      const visitor = await Visitor.enter(path, { ...(await signInOf(path, { connection })), connection });
      ran.unshift((await visitor.session()).id);
      await visitor.leave();
    }
    // Bob is a reviewer. He sees the sessions with person and time, but he cannot download a recording.
    const seen = (await contextOf('bob', id)).body.sessions;
    expect(seen.map((one: { id: string }) => one.id)).toEqual(ran);
    expect(seen[0]).toMatchObject({ user: 'alice@example.com', verb: 'connect' });
    expect((await gateway.call('bob', 'GET', `/sessions/${ran[0]}/download-url`)).status).not.toBe(200);
    expect((await contextOf('eve', id)).status).toBe(404);
  });

  // promises: REVIEW-20
  it('keeps why somebody forced an approval', async () => {
    const connection = await path.reviewed({
      reviewers_groups: ['dba'],
      force_approval_groups: ['management'],
      min_approvals: 2,
    });
    const id = await ask(connection, 'SELECT 1');
    const why = { force_reason: 'The site is down.' };
    expect((await path.say('max', id, { status: 'APPROVED', ...why })).status).toBe(422);
    expect((await path.say('max', id, { status: 'REJECTED', ...why })).status).toBe(422);
    const withNul = { force_review: true, force_reason: 'a\u0000' };
    expect((await path.say('max', id, { status: 'APPROVED', ...withNul })).status).toBe(422);
    const forced = await path.say('max', id, { status: 'APPROVED', force_review: true, ...why });
    expect(forced.body).toMatchObject({ status: 'APPROVED', ...why });
    expect((await path.by('carol', 'GET', `/reviews/${id}`)).body).toMatchObject(why);
    const { body } = await path.by('admin', 'GET', '/audit/logs?resource_type=reviews');
    expect(JSON.stringify(body)).toContain('The site is down.');
  });
});
