import { once } from '../../src/kernel/async/once';
import { as } from '../support/callers';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { passwordToken } from '../support/gateway';

/** E-mail addresses of zed's other accounts. The subjects differ, but the person is the same. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'upper case': 'ZED@EXAMPLE.COM',
  'a space behind': 'zed@example.com ',
  'a space that does not break': '\u00a0zed@example.com',
  'a space without width': 'z\u200bed@example.com',
  'a root': 'zed@example.com.',
  'full width': '\uff5a\uff45\uff44\uff20example.com',
  quotes: '"zed"@example.com',
  'a displayed name': 'Zed <zed@example.com>',
};
const accounts = Object.keys(SPELLINGS).map((name, at) => [name, `zed-${at}`, at] as const);
const PEOPLE = {
  zed: { groups: ['dba', 'management'], email: 'zed@example.com' },
  ...Object.fromEntries(
    accounts.map(([name, account]) => [
      account,
      { groups: ['dba', 'management', 'admin'], email: SPELLINGS[name] ?? '' },
    ]),
  ),
  yves: { groups: ['dba', 'management'], email: 'yves@b\u00fccher.example' },
  yvette: { groups: ['dba', 'management'], email: 'Yves@xn--bcher-kva.example' },
  anew: { groups: ['dba', 'management'], email: 'anew@example.com' },
  nobody: { groups: ['dba', 'management'], email: '' },
  other: { groups: ['dba', 'management'], email: 'zed+1@example.com' },
};
const RULE = { reviewers_groups: ['dba'], force_approval_groups: ['management'], min_approvals: 2 };
const approved = { status: 'APPROVED' };
const forced = { ...approved, force_review: true, force_reason: 'urgent' };

describeReviewPath('accounts of one person', { people: PEOPLE }, ({ path, gateway }) => {
  const listed = async (name: string, mine: string): Promise<string[]> =>
    (await path.by(name, 'GET', `/reviews?mine=${mine}`)).body.data.map(({ id }: { id: string }) => id);
  const signOff = (name: string, id: string) =>
    path.by(name, 'POST', `/reviews/${id}/sign-off`, { comment: 'fine' });
  /** Two connections whose rules require one approval, or two. All tests share them. */
  const byOne = once(() => path.reviewed({ ...RULE, min_approvals: 1 }));
  const byTwo = once(() => path.reviewed(RULE));
  const refused = {
    status: 403,
    body: { message: expect.stringMatching(/^another account with your e-mail address/) },
  };

  // promises: REVIEW-5, REVIEW-21
  it.each(accounts)('are known by an address with %s', async (_name, account) => {
    const own = await path.ask(await byOne(), 'zed');
    expect(await listed(account, 'to_decide')).not.toContain(own.id);
    expect(await listed('other', 'to_decide')).toContain(own.id);
    expect(await path.say(account, own.id, approved)).toMatchObject(refused);
    expect(await path.say(account, own.id, forced)).toMatchObject(refused);
    expect((await path.say('other', own.id, forced)).body.status).toBe('APPROVED');
    await path.say('zed', own.id, { status: 'REVOKED' });
    expect(await listed(account, 'to_sign_off')).not.toContain(own.id);
    expect(await listed('yves', 'to_sign_off')).toContain(own.id);
    expect(await signOff(account, own.id)).toMatchObject(refused);

    // The reverse case: the account with the unusual address is the requester.
    const theirs = await path.ask(await byOne(), account);
    expect(await listed('zed', 'to_decide')).not.toContain(theirs.id);
    expect(await path.say('zed', theirs.id, approved)).toMatchObject(refused);
    expect((await path.say('other', theirs.id, approved)).body.status).toBe('APPROVED');

    // One person cannot vote with two accounts, nor sign off an approval that the same person forced.
    const voted = await path.ask(await byTwo());
    expect((await path.say('zed', voted.id, approved)).body.status).toBe('PENDING');
    expect(await path.say(account, voted.id, approved)).toMatchObject(refused);
    expect((await path.say('other', voted.id, approved)).body.status).toBe('APPROVED');
    const pushed = await path.ask(await byTwo());
    expect((await path.say('zed', pushed.id, forced)).body.status).toBe('APPROVED');
    await path.say('zed', pushed.id, { status: 'REVOKED' });
    expect(await signOff(account, pushed.id)).toMatchObject(refused);
    expect((await signOff('yves', pushed.id)).status).toBe(200);
  });

  // promises: REVIEW-5, REVIEW-21
  it('are not asked for what they voted on, or forced, with another account', async () => {
    const voted = await path.ask(await byTwo());
    await path.say('zed', voted.id, approved);
    const pushed = await path.ask(await byTwo());
    await path.say('zed', pushed.id, forced);
    const seen = (name: string) => Promise.all([listed(name, 'to_decide'), listed(name, 'to_sign_off')]);
    for (const [, account] of accounts) {
      const [toDecide, toSignOff] = await seen(account);
      expect([account, toDecide.includes(voted.id), toSignOff.includes(pushed.id)]).toEqual([
        account,
        false,
        false,
      ]);
    }
    const [toDecide, toSignOff] = await seen('other');
    expect([toDecide.includes(voted.id), toSignOff.includes(pushed.id)]).toEqual([true, true]);
  });

  // promises: REVIEW-5
  it('are known by a domain in Unicode and in Punycode', async () => {
    const { id } = await path.ask(await byTwo(), 'yves');
    expect(await path.say('yvette', id, approved)).toMatchObject(refused);
  });

  // promises: REVIEW-5, REVIEW-6, REVIEW-21
  it.each(['anew', 'nobody'])('are known by the subject after their deletion: %s', async (name) => {
    /** Signs in, which creates the account again after a deletion. */
    const signIn = async () => {
      const token = await passwordToken(gateway.provider.issuer, name);
      const call = (method: string, at: string, body?: object) => as(gateway, token, method, at, body);
      await eventually('they are in', async () => (await call('GET', '/userinfo')).status === 200);
      return call;
    };
    const remove = async (): Promise<void> =>
      expect((await path.by('admin', 'DELETE', `/users/${name}`)).status).toBe(204);
    const { id } = await path.ask(await byTwo());
    const first = await signIn();
    expect((await first('PUT', `/reviews/${id}`, approved)).body.status).toBe('PENDING');
    await remove();
    const second = await signIn();
    for (const vote of [approved, forced])
      expect(await second('PUT', `/reviews/${id}`, vote)).toMatchObject({ status: 403 });
    expect((await path.say('other', id, approved)).body.status).toBe('APPROVED');

    const pushed = await path.ask(await byTwo());
    expect((await second('PUT', `/reviews/${pushed.id}`, forced)).body.status).toBe('APPROVED');
    await path.say('other', pushed.id, { status: 'REVOKED' });
    await remove();
    const third = await signIn();
    const signedOff = await third('POST', `/reviews/${pushed.id}/sign-off`, { comment: 'fine' });
    expect(signedOff).toMatchObject({ status: 403 });
    expect((await signOff('other', pushed.id)).status).toBe(200);
  });

  // promises: REVIEW-5
  it('are known by the address of today where the vote has the one of yesterday', async () => {
    const { id } = await path.ask(await byTwo());
    expect((await path.say('zed', id, approved)).body.status).toBe('PENDING');
    await path.sql(`UPDATE review_groups SET reviewed_by = jsonb_set(reviewed_by, '{email}', '"old@example.com"')
      WHERE review_id = '${id}' AND reviewed_by IS NOT NULL`);
    expect(await path.say('zed-0', id, approved)).toMatchObject(refused);
  });
});
