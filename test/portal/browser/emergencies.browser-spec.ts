import { violationsOf } from '../../support/portal/axe';
import { ConnectionScreen } from '../../support/portal/connection-screen';
import { type Visit, describeJourneys } from '../../support/portal/journeys';
import { ReviewScreens } from '../../support/portal/review-screens';
import { RunScreen } from '../../support/portal/run-screen';
import { startReviewPath } from '../../support/review-path';

const URGENT = { emergency_access_groups: ['engineering'] };
const OPEN = 'Open it in an emergency';

/** Declares an emergency: fills in and confirms its dialog. */
async function declare(visit: Visit, reason: string): Promise<void> {
  const dialog = visit.page.getByRole('dialog');
  const sure = dialog.getByRole('button', { name: OPEN });
  await visit.press(new ReviewScreens(visit).button(OPEN));
  await visit.sees('another person looks at it afterwards');
  expect(await sure.isEnabled()).toBe(false);
  await visit.press(dialog.getByRole('checkbox'));
  await visit.fill(dialog.getByRole('textbox'), '  ');
  expect(await sure.isEnabled()).toBe(false);
  await visit.fill(dialog.getByRole('textbox'), reason);
  expect(await violationsOf(visit.page)).toEqual([]);
  await visit.press(sure);
}

// promises: EMERGENCY-7
describeJourneys('emergencies at the portal', startReviewPath, ({ path, journey }) => {
  journey('are declared with a reason, marked, and signed off by another person', async ({ open }) => {
    const connection = await path.reviewed({}, URGENT);
    const { id, sessionId } = await path.ask(connection);
    const alice = await open('alice', `/reviews/${id}`);
    const hers = new ReviewScreens(alice);
    await declare(alice, 'payments are down');
    await hers.state('approved');
    await alice.sees('payments are down');
    await alice.sees('Waits for a second look');
    expect(await hers.button('Sign off').count()).toBe(0);

    const bob = await open('bob', '/sign-offs');
    const his = new ReviewScreens(bob);
    const row = bob.page.getByRole('row', { name: `Script on ${connection}` });
    await row.getByText('emergency', { exact: true }).waitFor();
    expect(await violationsOf(bob.page)).toEqual([]);
    await bob.press(row.getByRole('link'));
    await bob.sees('It can still be used.');
    await alice.press(hers.button('Run it now'));
    await new RunScreen(alice).result.waitFor();
    await his.state('done');

    const admin = await open('admin', `/sessions?review.after_review=open&connection=${connection}`);
    await admin.page.getByRole('table').getByText('emergency', { exact: true }).waitFor();
    await admin.go(`/sessions/${sessionId}`);
    await admin.page.getByRole('main').getByText('emergency', { exact: true }).waitFor();

    await bob.fill(his.field('Findings of the second look'), 'INC-204, correct');
    expect(await violationsOf(bob.page)).toEqual([]);
    await bob.press(his.button('Sign off'));
    await alice.sees('Signed off');
    await alice.sees('INC-204, correct');
    await bob.go('/sign-offs');
    await bob.sees(/Nothing waits for a second look|To sign off/);
    const { body } = await path.by('bob', 'GET', '/reviews?mine=to_sign_off');
    expect(body.data).not.toContainEqual(expect.objectContaining({ id }));
  });

  journey('give access for a while, from the page of the connection', async ({ open }) => {
    const name = await path.reviewed({ access_type: 'jit' }, URGENT);
    const alice = await open('alice', `/connections/${name}`);
    const screen = new ConnectionScreen(alice);
    await alice.press(screen.button('Get a credential'));
    await alice.press(alice.page.getByRole('status').getByRole('link', { name: 'The request' }));
    await declare(alice, 'payments are down');
    await new ReviewScreens(alice).state('approved');
    await alice.go(`/connections/${name}`);
    await alice.press(screen.button('Get a credential'));
    await alice.sees('This password is shown once');
  });

  journey('are offered to people of an emergency group alone', async ({ open }) => {
    const { id } = await path.ask(await path.reviewed({}, { emergency_access_groups: ['dba'] }));
    const alice = await open('alice', `/reviews/${id}`);
    const hers = new ReviewScreens(alice);
    await hers.button('Withdraw').waitFor();
    expect(await hers.button(OPEN).count()).toBe(0);
  });
});
