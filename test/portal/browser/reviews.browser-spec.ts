import { violationsOf } from '../../support/portal/axe';
import { eventually } from '../../support/eventually';
import { expectSoon } from '../../support/portal/expect-soon';
import { PHONE, describeJourneys } from '../../support/portal/journeys';
import { ReviewScreens } from '../../support/portal/review-screens';
import { RunScreen } from '../../support/portal/run-screen';
import { type ReviewPath, startReviewPath } from '../../support/review-path';

/** Creates a connection, and runs a script of alice on it, which waits for approval. */
async function asked(path: ReviewPath, rule: object = {}) {
  const connection = await path.reviewed(rule);
  return { connection, ...(await path.ask(connection)) };
}

/** People of the test. zed is another account of bob, with the same e-mail address in different case. */
const PEOPLE = { zed: { groups: ['dba', 'admin'], email: 'Bob@Example.com' } };

describeJourneys(
  'requests at the portal',
  () => startReviewPath(PEOPLE),
  ({ path, journey }) => {
    journey('wait with their reason, are decided without a reload, and run', async ({ open }) => {
      const connection = await path.reviewed();
      const alice = await open('alice', `/run?connection=${connection}`);
      await alice.sees('You may open it after an approval');
      await alice.sees('Groups that are asked: dba.');
      await new RunScreen(alice).run('SELECT 6 * 7 AS answer', 'the answer is needed');
      await alice.sees('Waits for approval');
      await alice.sees('Nothing has run yet.');
      await alice.press(alice.page.getByRole('status').getByRole('link', { name: 'The request' }));
      const hers = new ReviewScreens(alice);
      await hers.state('waits');

      // Bob's start page lists the requests that he has to decide.
      const bob = await open('bob', '/');
      const his = new ReviewScreens(bob);
      await bob.page.getByRole('heading', { name: /^\(\d+\) To decide$/ }).waitFor();
      await bob.press(bob.page.getByRole('link', { name: `Script on ${connection}` }));
      await bob.sees('SELECT 6 * 7 AS answer');
      await bob.sees('the answer is needed');
      await bob.press(his.button('Approve'));
      await his.state('approved');

      await hers.state('approved');
      await alice.press(hers.button('Run it now'));
      await new RunScreen(alice).result.getByText('42').waitFor();
      await hers.state('done');
      await hers.button('Run it now').waitFor({ state: 'detached' });
    });

    journey('that are rejected tell why', async ({ open }) => {
      const { id, connection } = await asked(path);
      const list = await open('alice', `/sessions?connection=${connection}`);
      await list.page.getByRole('row').getByText('waits for approval').waitFor();
      await list.press(list.page.getByRole('row').getByRole('link').first());
      await list.sees(/^Review for the rule \S+: waits\.$/);
      const alice = await open('alice', `/reviews/${id}`);
      const bob = await open('bob', `/reviews/${id}`);
      await new ReviewScreens(bob).reject('not on a Friday');
      await new ReviewScreens(alice).state('rejected');
      await alice.sees('not on a Friday');
      await list.sees(/^Review for the rule \S+: rejected, decided by /);
      await list.page.getByRole('row').getByText('rejected', { exact: true }).waitFor();
      await new ReviewScreens(alice).button('Run it now').waitFor({ state: 'detached' });
      const { body } = await path.by('alice', 'GET', `/reviews/${id}`);
      expect([body.status, body.rejection_reason]).toEqual(['REJECTED', 'not on a Friday']);
    });

    journey('whose pasted reason is too long are not decided, and none of it is lost', async ({ open }) => {
      const { id } = await asked(path);
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await bob.fill(his.why, 'x');
      await bob.page.keyboard.insertText('é'.repeat(2_502));
      await bob.sees('This has 2,503 characters, and the gateway takes 2,500: remove 3.');
      await bob.press(his.button('Reject'));
      await bob.page.getByRole('alert').getByText('rejection_reason must be').waitFor();
      await expectSoon(() => his.why.inputValue(), `x${'é'.repeat(2_502)}`);
      await his.reject('not on a Friday');
      await his.state('rejected');
    });

    journey(
      'are listed oldest first, counted in the title, and leave the list when decided',
      async ({ open }) => {
        const first = await asked(path);
        const second = await asked(path);
        const bob = await open('bob', '/reviews');
        const his = new ReviewScreens(bob);
        const titles = [`Script on ${first.connection}`, `Script on ${second.connection}`];
        await his.listed.getByText(titles[1] ?? '').waitFor();
        const listed = await his.listed.allInnerTexts();
        expect(listed.filter((title) => titles.includes(title))).toEqual(titles);
        // Retries, because the page's title changes shortly after its content.
        const counted = (count: number): Promise<unknown> =>
          eventually(`(${count})`, async () => (await bob.page.title()).startsWith(`(${count}) To decide`));
        await counted(listed.length);
        await path.say('bob', first.id, { status: 'APPROVED' });
        await bob.page.getByRole('link', { name: titles[0] ?? '' }).waitFor({ state: 'detached' });
        await counted(listed.length - 1);
        await path.say('bob', second.id, { status: 'APPROVED' });
      },
    );

    journey('show in the list what would run and why, and lead from one to the next', async ({ open }) => {
      const connection = await path.reviewed();
      const ask = async (script: string, reason: string): Promise<string> =>
        (await path.by('alice', 'POST', '/sessions', { connection, script, reason })).body
          .review_id as string;
      const first = await ask('UPDATE orders SET paid = true WHERE id = 7', 'the bank said so');
      const second = await ask('DELETE FROM orders WHERE id = 8', 'it was a test');
      const bob = await open('bob', '/reviews');
      for (const [script, reason] of [
        ['UPDATE orders SET paid = true WHERE id = 7', 'Reason: the bank said so'],
        ['DELETE FROM orders WHERE id = 8', 'Reason: it was a test'],
      ] as const)
        await bob.page.getByRole('row').filter({ hasText: script }).getByText(reason).waitFor();
      await bob.go(`/reviews/${first}`);
      const next = bob.page.getByRole('link', { name: /^Next request \(\d+\)$/ });
      await next.waitFor();
      await bob.press(new ReviewScreens(bob).button('Approve'));
      await new ReviewScreens(bob).state('approved');
      await expectSoon(() => next.evaluate((link) => link.matches(':focus')), true);
      await bob.page.keyboard.press('Enter');
      await bob.page.locator('pre').getByText('DELETE FROM orders WHERE id = 8').waitFor();
      expect(new URL(bob.page.url()).pathname).toBe(`/reviews/${second}`);
    });

    journey('are approved for hours of the day', async ({ open }) => {
      const { id } = await asked(path);
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await bob.sees('Hours of the day in which it may be used. Empty: all.');
      await bob.fill(his.field('From (UTC)'), '09:15');
      await bob.fill(his.field('Until (UTC)'), '17:45');
      await bob.press(his.button('Approve'));
      await his.state('approved');
      const alice = await open('alice', `/reviews/${id}`);
      await alice.sees('Between 09:15 and 17:45 UTC.');
    });

    journey('with hours that are none are not approved', async ({ open }) => {
      const { id } = await asked(path);
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await bob.fill(his.field('From (UTC)'), 'nine');
      await bob.fill(his.field('Until (UTC)'), '17:45');
      await bob.sees('Write hours as 09:30, both or none.');
      expect(await his.button('Approve').isEnabled()).toBe(false);
      await bob.fill(his.field('From (UTC)'), '');
      expect(await his.button('Approve').isEnabled()).toBe(false);
      expect((await path.by('bob', 'GET', `/reviews/${id}`)).body.status).toBe('PENDING');
    });

    journey('say what is missing, from whom, and whether the reader can give it', async ({ open }) => {
      const { id } = await asked(path, {
        reviewers_groups: ['engineering', 'dba', 'admin'],
        all_groups_must_approve: true,
        min_approvals: null,
      });
      const alice = await open('alice', `/reviews/${id}`);
      await alice.sees('Each of these groups has to approve still: engineering, dba, admin.');
      await alice.sees('You asked for it yourself, so you cannot approve it.');
      const bob = await open('bob', `/reviews/${id}`);
      await bob.sees('You can approve it.');
      await bob.press(new ReviewScreens(bob).button('Approve'));
      for (const visit of [alice, bob])
        await visit.sees('Each of these groups has to approve still: engineering, admin.');
      await bob.sees('You have approved it. Others have to approve it still.');
      for (const width of [390, 360]) {
        await bob.page.setViewportSize({ width, height: 844 });
        await expectSoon(() => bob.page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
        await bob.page.getByRole('row').getByText('Bob Operator').waitFor();
      }
      const auditor = await open('auditor', `/reviews/${id}`);
      await auditor.sees('Each of these groups has to approve still: engineering, admin.');
      expect(await auditor.page.getByText(/approval is needed|You can/).count()).toBe(0);
      const few = await asked(path, { reviewers_groups: ['dba', 'engineering'], min_approvals: 2 });
      await bob.go(`/reviews/${few.id}`);
      await bob.sees('2 more people have to approve, of dba or engineering.');
    });

    journey('are forced only when that is asked twice', async ({ open }) => {
      const { id } = await asked(path, {
        reviewers_groups: ['engineering', 'dba'],
        all_groups_must_approve: true,
        min_approvals: null,
        force_approval_groups: ['admin'],
      });
      const bob = await open('bob', `/reviews/${id}`);
      await bob.sees('May be forced by: admin.');
      const admin = await open('admin', `/reviews/${id}`);
      const screen = new ReviewScreens(admin);
      await admin.press(screen.button('Force the approval'));
      const dialog = admin.page.getByRole('dialog');
      const sure = dialog.getByRole('button', { name: 'Force the approval' });
      await admin.sees('This approves at once in place of all groups');
      expect(await sure.isEnabled()).toBe(false);
      await admin.press(dialog.getByRole('checkbox'));
      expect(await sure.isEnabled()).toBe(false);
      await admin.fill(dialog.getByRole('textbox'), 'the others sleep');
      expect(await violationsOf(admin.page)).toEqual([]);
      await admin.press(sure);
      await screen.state('approved');
      await admin.sees('the others sleep');
      await admin.sees('(forced)');
    });

    journey('show what a script does, and what is new since the last approval', async ({ open }) => {
      const connection = await path.reviewed();
      const ask = async (script: string): Promise<string> =>
        (await path.by('alice', 'POST', '/sessions', { connection, script })).body.review_id as string;
      const before = await ask('SELECT * FROM orders WHERE id = 7');
      await path.say('bob', before, { status: 'APPROVED' });
      const id = await ask('DELETE FROM orders');
      const bob = await open('bob', `/reviews/${id}`);
      const does = bob.page.getByRole('row').filter({ hasText: 'delete' });
      await does.getByText('all rows').waitFor();
      await does.getByText('orders (changed)').waitFor();
      await bob.page.getByRole('deletion').first().waitFor();
      expect((await bob.page.getByRole('insertion').allInnerTexts()).join('')).toContain('DELETE');
      expect((await bob.page.getByRole('deletion').allInnerTexts()).join('')).toContain('WHERE id = 7');
      await bob.press(bob.page.getByRole('listitem').getByRole('link', { name: `Script on ${connection}` }));
      await bob.sees('SELECT * FROM orders WHERE id = 7');
      await bob.sees('Nothing was approved before');
    });

    journey('that were approved are revoked, and run no more', async ({ open }) => {
      const { id } = await asked(path);
      await path.say('bob', id, { status: 'APPROVED' });
      const alice = await open('alice', `/reviews/${id}`);
      const hers = new ReviewScreens(alice);
      await hers.button('Run it now').waitFor();
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await bob.fill(his.why, 'the freeze began');
      await bob.press(his.button('Revoke the approval'));
      await hers.state('revoked');
      await alice.sees('the freeze began');
      await hers.button('Run it now').waitFor({ state: 'detached' });
    });

    journey('are withdrawn by the requester', async ({ open }) => {
      const { connection, id } = await asked(path);
      const alice = await open('alice', '/requests');
      await alice.press(alice.page.getByRole('link', { name: `Script on ${connection}` }));
      const hers = new ReviewScreens(alice);
      await alice.press(hers.button('Withdraw'));
      await hers.state('revoked');
      expect((await path.by('bob', 'GET', `/reviews/${id}`)).body.status).toBe('REVOKED');
    });

    journey('are not approved by the requester, by address either', async ({ open }) => {
      const connection = await path.reviewed();
      const { id } = await path.ask(connection, 'bob');
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await his.button('Withdraw').waitFor();
      expect(await his.button('Approve').count()).toBe(0);
      expect(await his.button('Reject').count()).toBe(0);
    });

    journey('are not approved by another account of the requester or of a voter', async ({ open }) => {
      const rule = { min_approvals: 2, force_approval_groups: ['dba', 'admin'] };
      const own = await path.ask(await path.reviewed(rule), 'zed');
      const bob = await open('bob', `/reviews/${own.id}`);
      const his = new ReviewScreens(bob);
      const voted = await asked(path, rule);
      await path.say('zed', voted.id, { status: 'APPROVED' });
      for (const { id } of [own, voted]) {
        await bob.go(`/reviews/${id}`);
        await bob.sees('Another account with your e-mail address asked for it or has approved it');
        await his.button('Reject').waitFor();
        expect(await his.button('Approve').count()).toBe(0);
        expect(await his.button('Force the approval').count()).toBe(0);
      }
      const pushed = await asked(path, rule);
      await path.say('zed', pushed.id, { status: 'APPROVED', force_review: true, force_reason: 'urgent' });
      await path.say('alice', pushed.id, { status: 'REVOKED' });
      await bob.go(`/reviews/${pushed.id}`);
      await bob.sees('urgent');
      expect(await his.button('Sign off').count()).toBe(0);
    });

    journey('are decided on a phone, from a link in a chat', async ({ openUnknown, signIn }) => {
      const connection = await path.reviewed();
      // The dangerous part is at the end of the line, so the phone must show the whole line.
      const script = 'DELETE FROM orders WHERE customer_id IN (SELECT id FROM customers) OR id > 0';
      const { body } = await path.by('alice', 'POST', '/sessions', { connection, script });
      const bob = await openUnknown(`/reviews/${body.review_id}`, PHONE);
      await signIn(bob, 'bob');
      const his = new ReviewScreens(bob);
      await bob.sees(script);
      const shown = bob.page.locator('pre').filter({ hasText: script });
      const product = bob.page.getByRole('banner').getByText('Access Gateway', { exact: true });
      for (const whole of [shown, product])
        expect(await whole.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
      expect(
        await bob.page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'),
      ).toBe(true);
      await bob.press(his.button('Approve'));
      await his.state('approved');
    });

    journey('that another person has just decided are not decided again', async ({ open }) => {
      const { id } = await asked(path);
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await his.button('Approve').waitFor();
      await path.say('admin', id, { status: 'REJECTED', rejection_reason: 'I was faster' });
      await his.state('rejected');
      await bob.sees('I was faster');
      await his.button('Approve').waitFor({ state: 'detached' });
    });

    journey('of two groups say who is missing', async ({ open }) => {
      const { id } = await asked(path, {
        reviewers_groups: ['dba', 'admin'],
        all_groups_must_approve: true,
        min_approvals: null,
      });
      const bob = await open('bob', `/reviews/${id}`);
      const his = new ReviewScreens(bob);
      await bob.press(his.button('Approve'));
      await bob.page.getByRole('row').filter({ hasText: 'dba' }).getByText('approved').waitFor();
      await bob.page.getByRole('row').filter({ hasText: 'admin' }).getByText('waits').waitFor();
      await his.state('waits');
      const admin = await open('admin', `/reviews/${id}`);
      await admin.press(new ReviewScreens(admin).button('Approve'));
      await his.state('approved');
    });

    journey('that do not exist are said to be missing', async ({ open }) => {
      const alice = await open('alice', '/reviews/00000000-0000-4000-8000-000000000000');
      await alice.page.getByRole('alert').getByText('there is no review with this id').waitFor();
    });
  },
);
