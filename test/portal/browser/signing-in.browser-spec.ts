import { startDataPath } from '../../support/data-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { accountOf, describeJourneys } from '../../support/portal/journeys';

describeJourneys('signing in at the portal', startDataPath, ({ journey }) => {
  journey('leads to the page that was asked for', async ({ openUnknown, signIn }) => {
    const alice = await openUnknown('/connections/orders');
    await signIn(alice, 'alice');
    await alice.page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
    expect(new URL(alice.page.url()).pathname).toBe('/connections/orders');
  });

  journey('ends for this browser, and the way back shows nothing', async ({ open }) => {
    const alice = await open('alice', '/connections', { isAlone: true });
    await alice.press(alice.page.getByRole('link', { name: 'orders' }));
    await alice.sees('You may open it');
    await alice.press(alice.page.getByRole('button', { name: 'Sign out' }));
    await alice.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await alice.page.goBack();
    await alice.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await alice.page.getByText('You may open it').count()).toBe(0);
  });

  journey('goes on, and says so, where the gateway cannot end it', async ({ open }) => {
    const alice = await open('alice', '/connections', { isAlone: true });
    const ending = '**/portal-session';
    const signOut = alice.page.getByRole('button', { name: 'Sign out' });
    const told = alice.page.getByRole('alert').filter({ hasText: 'You are still signed in.' });
    await alice.page.route(ending, (route) => route.abort('connectionrefused'));
    await alice.press(signOut);
    await told.getByText('The gateway could not be reached.').waitFor();
    await alice.page.unroute(ending);
    await alice.page.route(ending, (route) =>
      route.fulfill({ status: 503, json: { message: 'the database is away' } }),
    );
    await alice.press(signOut);
    await told.getByText('the database is away').waitFor();
    await alice.page.unroute(ending);
    await alice.press(signOut);
    await alice.page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  journey('is asked for again over the page, which keeps what was typed', async ({ open, at }) => {
    const alice = await open('alice', '/run?connection=orders', { isAlone: true });
    const reason = alice.page.getByLabel('Reason');
    await alice.fill(reason, 'typed before');
    // Signs out in another tab that does not inform this tab, as if this tab were asleep.
    const other = await alice.page.context().newPage();
    await other.addInitScript('BroadcastChannel.prototype.postMessage = () => undefined');
    await other.goto(new URL('/connections', alice.page.url()).href);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await alice.fill(alice.page.getByRole('textbox', { name: 'SQL' }), 'SELECT 7 AS seven');
    await alice.press(alice.page.getByRole('button', { name: 'Run', exact: true }));
    await alice.sees('Your sign-in has ended');
    const popup = alice.page.waitForEvent('popup');
    await alice.press(alice.page.getByRole('button', { name: 'Sign in again' }));
    const beside = at(await popup);
    const closed = beside.page.waitForEvent('close');
    await beside.press(accountOf(beside.page, 'alice'));
    await closed;
    await alice.page.getByText('Your sign-in has ended').waitFor({ state: 'hidden' });
    await alice.sees(/^Your sign-in had ended, so this was not done/);
    await expectSoon(() => reason.inputValue(), 'typed before');
    await alice.press(alice.page.getByRole('button', { name: 'Run', exact: true }));
    await alice.page.getByRole('table', { name: 'Result' }).getByText('7', { exact: true }).waitFor();
  });
});
