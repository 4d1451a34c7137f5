import type { Browser } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../support/chromium';
import { type ReviewPath, startReviewPath } from '../support/review-path';

describeInBrowser('a request at the portal', () => {
  let browser: Browser;
  let path: ReviewPath;

  beforeAll(async () => {
    path = await startReviewPath();
    browser = await startChromium();
    await path.rule({ reviewers_groups: ['admin'], connection_names: ['orders'] });
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
  });

  it('is made, approved on a phone, run, and found by the auditor, who verifies it', async () => {
    const alice = await visit(browser, path.gateway, 'alice', '/run?connection=orders');
    await alice.page.getByRole('textbox', { name: 'SQL' }).fill('SELECT 6 * 7 AS answer');
    await alice.page.getByLabel('Reason').fill('the answer is needed');
    await alice.page.getByRole('button', { name: 'Run', exact: true }).click();
    await alice.page.getByText('Waits for approval').waitFor();
    await alice.page.getByRole('link', { name: 'My requests' }).click();
    await alice.page.getByRole('link', { name: 'Script on orders' }).click();

    const phone = { viewport: { width: 360, height: 740 } };
    const admin = await visit(browser, path.gateway, 'admin', '/reviews', phone);
    await admin.page.getByRole('link', { name: 'Script on orders' }).click();
    await admin.page.getByText('SELECT 6 * 7 AS answer').waitFor();
    await admin.page.getByText('the answer is needed').waitFor();
    await admin.page.getByRole('button', { name: 'Approve' }).click();
    await admin.page.getByRole('status').getByText('approved').waitFor();

    // Alice's page shows the approval without a reload.
    await alice.page.getByRole('button', { name: 'Run it now' }).click();
    await alice.page.getByRole('table', { name: 'Result' }).getByText('42').waitFor();

    const auditor = await visit(browser, path.gateway, 'auditor', '/sessions?user=alice');
    await auditor.page
      .getByRole('main')
      .getByRole('link', { name: /20\d\d/ })
      .first()
      .click();
    await auditor.page.getByRole('log').getByText('SELECT 6 * 7 AS answer').waitFor();
    await auditor.page.getByRole('tab', { name: 'Verification' }).click();
    await auditor.page.getByText(/The recording is/).waitFor();
    for (const person of [alice, admin, auditor]) {
      expect(person.faults).toEqual([]);
      await person.close();
    }
  });
});
