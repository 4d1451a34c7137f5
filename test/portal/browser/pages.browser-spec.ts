import { createRule, denyWords } from '../../support/guardrails';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Visit, describeJourneys } from '../../support/portal/journeys';
import { startReviewPath } from '../../support/review-path';

/** Numbers of items in the lists: one more than fits on a page. */
const GUARDRAILS = 21;
const OTHERS = 51;

describeJourneys('lists of several pages', startReviewPath, ({ path, journey }) => {
  beforeAll(async () => {
    for (let at = 0; at < GUARDRAILS; at++)
      await createRule(path.gateway, { name: `guardrail ${at}`, input: denyWords(['nothing like this']) });
    for (let at = 0; at < OTHERS; at++)
      await path.rule({ reviewers_groups: ['dba'], attributes: [`nothing-has-${at}`] });
    const connection = await path.reviewed();
    for (let at = 0; at < OTHERS; at++) await path.ask(connection);
    for (let at = 0; at < OTHERS; at++) await path.connect(`listed-${at}`, { access_groups: ['*'] });
  });

  const turn = async (visit: Visit, to: 'Next page' | 'Previous page', where: string): Promise<void> => {
    await visit.press(visit.page.getByRole('button', { name: to, exact: true }));
    await visit.sees(where);
  };

  journey('of rules have their page in the address', async ({ open }) => {
    const admin = await open('admin', '/guardrails');
    await admin.sees('21 items, page 1 of 2');
    await turn(admin, 'Next page', '21 items, page 2 of 2');
    await admin.page.reload();
    await admin.sees('21 items, page 2 of 2');
    await admin.page.getByRole('link', { name: 'guardrail 0', exact: true }).waitFor();
    await admin.page.goBack();
    await admin.sees('21 items, page 1 of 2');
    await admin.go('/access-rules?page=2');
    await admin.sees(/^\d+ items, page 2 of 2$/);
    await turn(admin, 'Previous page', 'page 1 of 2');
  });

  journey('of pages shows all of it to an admin, in a window of usual height', async ({ open }) => {
    const admin = await open('admin', '/health', { viewport: { width: 1440, height: 900 } });
    const navigation = admin.page.getByRole('navigation');
    expect(await navigation.evaluate((list) => list.scrollHeight <= list.clientHeight)).toBe(true);
    await admin.press(navigation.getByRole('link', { name: 'Groups', exact: true }));
    await admin.page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  });

  journey('of connections have their page in the address, and a search begins anew', async ({ open }) => {
    const alice = await open('alice', '/connections');
    await alice.sees(/^\d+ items, page 1 of 2$/);
    await turn(alice, 'Next page', 'page 2 of 2');
    await alice.page.reload();
    await alice.sees(/page 2 of 2$/);
    await alice.page.getByRole('link', { name: 'listed-0', exact: true }).waitFor();
    await alice.fill(alice.page.getByRole('textbox', { name: 'Search connections' }), 'listed-50');
    await alice.page.getByRole('link', { name: 'listed-50', exact: true }).waitFor();
    await alice.sees('1 item');
  });

  journey('of requests begin with the one that waits longest', async ({ open }) => {
    const times = async (visit: Visit) => {
      const shown = await visit.page.getByRole('main').locator('time').all();
      return Promise.all(shown.map((time) => time.getAttribute('datetime')));
    };
    const { body } = await path.by('bob', 'GET', '/reviews?mine=to_decide&order=oldest');
    const waiting = (body.data as { created_at: string }[]).map(({ created_at: at }) => at);
    const bob = await open('bob', '/reviews');
    await bob.sees('51 items, page 1 of 2');
    await expectSoon(() => times(bob), waiting.slice(0, 50));
    await turn(bob, 'Next page', '51 items, page 2 of 2');
    await bob.page.reload();
    await bob.sees('51 items, page 2 of 2');
    await expectSoon(() => times(bob), waiting.slice(50));
    // A page disappears when its last request is decided. Its address then leads to the last page.
    await bob.go('/reviews?page=3');
    await bob.sees('51 items, page 2 of 2');
    await expectSoon(async () => new URL(bob.page.url()).search, '?page=2');
    await bob.go('/connections?page=9');
    await bob.sees(/page 2 of 2$/);
    const alice = await open('alice', '/requests');
    await alice.sees('51 items, page 1 of 2');
    await expectSoon(() => times(alice), waiting.toReversed().slice(0, 50));
  });
});
