import { eventually } from '../../support/eventually';
import { startReviewPath } from '../../support/review-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { describeJourneys } from '../../support/portal/journeys';
import { arrives, parts } from '../../support/portal/parts';

const { field, list, button, link, row, answer, shownOnce } = parts;

/** Tests what operators can do with people, machines and the organization. */
describeJourneys('people, machines and the organization', startReviewPath, ({ path, journey }) => {
  const userOf = async (id: string) =>
    (await path.gateway.call('admin', 'GET', `/users/${id}`)).body as { groups: string[]; status: string };

  journey('a user is found, gets a group, and loses the access', async ({ open, unique }) => {
    const group = unique('night-shift');
    await path.gateway.call('admin', 'POST', '/groups', { name: group });
    const admin = await open('admin', '/users');
    await admin.fill(field(admin, 'Search by name, e-mail or id'), 'bob');
    await admin.press(button(admin, 'Filter'));
    await admin.sees('1 item');
    await admin.press(link(admin, 'Bob Operator'));
    await admin.add(list(admin, 'Groups set here'), group);
    await admin.press(button(admin, 'Save'));
    await admin.sees('Saved.');
    expect((await userOf('bob')).groups).toContain(group);
    const auditor = await open('auditor', '/users?search=bob');
    const groups = row(auditor, 'Bob Operator').getByRole('cell').filter({ hasText: group });
    await groups.filter({ hasText: 'dba' }).waitFor();
    await admin.choose(list(admin, 'Status'), 'inactive');
    await admin.press(button(admin, 'Save'));
    await admin.page.getByRole('cell', { name: 'inactive' }).waitFor();
    expect((await path.gateway.call('bob', 'GET', '/userinfo')).status).toBe(401);
    await admin.choose(list(admin, 'Status'), 'active');
    await admin.press(button(admin, 'Save'));
    await admin.page.getByRole('cell', { name: 'active', exact: true }).waitFor();
    expect((await path.gateway.call('bob', 'GET', '/userinfo')).status).toBe(200);
  });

  journey('of two editors of a user, the later one decides between both versions', async ({ open }) => {
    const admin = await open('admin', '/users/alice');
    await admin.fill(field(admin, 'Name'), 'Alice Mine');
    await path.gateway.call('admin', 'PATCH', '/users/alice', { name: 'Alice Theirs' });
    await admin.press(button(admin, 'Save'));
    await admin.sees('Somebody else changed this meanwhile');
    await expectSoon(
      () => row(admin, 'Alice Mine').getByRole('cell').allInnerTexts(),
      ['Alice Mine', 'Alice Theirs'],
    );
    await admin.press(button(admin, 'Take theirs'));
    await expectSoon(() => field(admin, 'Name').inputValue(), 'Alice Theirs');
  });

  journey('a user is created before the first sign-in, and deleted', async ({ open, unique }) => {
    const id = unique('newcomer');
    const admin = await open('admin', '/users');
    await admin.press(button(admin, 'Create a user').first());
    const form = admin.page.getByRole('form', { name: 'Create a user' });
    await admin.fill(field(admin, 'Id at the identity provider'), 'alice');
    await admin.fill(field(admin, 'E-mail'), `${id}@example.com`);
    await admin.press(form.getByRole('button', { name: 'Create a user' }));
    await form.getByRole('alert').waitFor();
    await expectSoon(() => field(admin, 'E-mail').inputValue(), `${id}@example.com`);
    await admin.fill(field(admin, 'Id at the identity provider'), id);
    await admin.press(form.getByRole('button', { name: 'Create a user' }));
    await admin.sees(`The user ${id} was created.`);
    await admin.go(`/users/${id}`);
    await admin.press(button(admin, `Delete the user: ${id}@example.com`));
    await admin.press(answer(admin, 'Delete the user'));
    await arrives(admin, 'Users');
    expect((await path.gateway.call('admin', 'GET', `/users/${id}`)).status).toBe(404);
  });

  journey('a group is deleted only with the members that the person saw', async ({ open, unique }) => {
    const name = unique('team');
    const admin = await open('admin', '/groups');
    await admin.fill(field(admin, 'Name'), name);
    await admin.fill(field(admin, 'Description'), 'for a while');
    await admin.press(button(admin, 'Create a group'));
    await admin.sees(`The group ${name} was created.`);
    await admin.press(button(admin, `Delete: ${name}`));
    // A user joins the group while the page shows the confirmation dialog.
    await path.gateway.call('admin', 'PATCH', '/users/alice', {
      groups: [...(await userOf('alice')).groups, name],
    });
    await admin.press(answer(admin, 'Delete'));
    await admin.sees('Somebody else changed it since you read it');
    const members = admin.page.getByRole('dialog').getByRole('row').filter({ hasText: 'Members' });
    await expectSoon(() => members.getByRole('cell').allInnerTexts(), ['0', '1']);
    await admin.press(answer(admin, 'Delete'));
    await button(admin, `Delete: ${name}`).waitFor({ state: 'hidden' });
    expect((await userOf('alice')).groups).not.toContain(name);
  });

  journey('an API key is shown once, works, and is revoked', async ({ open, unique }) => {
    const name = unique('robot');
    const admin = await open('admin', '/api-keys');
    await admin.fill(field(admin, 'Name'), name);
    await admin.add(list(admin, 'Groups'), 'engineering');
    await admin.press(button(admin, 'Create an API key'));
    await admin.sees('This key is shown once');
    const key = await shownOnce(admin).innerText();
    const asMachine = () =>
      path.gateway.call(null, 'GET', '/connections', undefined, { authorization: `Bearer ${key}` });
    expect((await asMachine()).status).toBe(200);
    await admin.page.reload();
    await row(admin, name).waitFor();
    expect(await admin.page.content()).not.toContain(key);
    await admin.press(button(admin, `Revoke: ${name}`));
    await admin.press(answer(admin, 'Revoke'));
    await row(admin, name).getByText('revoked').waitFor();
    expect((await asMachine()).status).toBe(401);
  });

  journey(
    'a SCIM token is shown once, works at the shown address, and is revoked',
    async ({ open, unique }) => {
      const name = unique('entra');
      const admin = await open('admin', '/scim-tokens');
      const address = await admin.page
        .getByRole('group', { name: 'Address for the identity provider (SCIM 2.0)', exact: true })
        .locator('pre')
        .innerText();
      await admin.fill(field(admin, 'Name'), name);
      await admin.press(button(admin, 'Create a SCIM token'));
      await admin.sees('This token is shown once');
      const token = await shownOnce(admin).innerText();
      const listed = () => fetch(`${address}/Users`, { headers: { authorization: `Bearer ${token}` } });
      expect((await listed()).status).toBe(200);
      await admin.page.reload();
      await row(admin, name).getByText('active', { exact: true }).waitFor();
      expect(await admin.page.content()).not.toContain(token);
      await admin.press(button(admin, `Revoke: ${name}`));
      await admin.press(answer(admin, 'Revoke'));
      await row(admin, name).getByText('revoked').waitFor();
      expect((await listed()).status).toBe(401);
    },
  );

  journey('a feature is turned off with a warning of the gateway, and on again', async ({ open }) => {
    const admin = await open('admin', '/organization');
    const reviews = admin.page.getByRole('switch', { name: /^Reviews/ });
    await admin.press(reviews);
    await admin.press(button(admin, 'Save'));
    await row(admin, 'Reviews').getByText('off', { exact: true }).waitFor();
    expect((await path.gateway.call('admin', 'GET', '/organization')).body.features.review).toBe(false);
    await admin.press(reviews);
    await admin.press(button(admin, 'Save'));
    await row(admin, 'Reviews').getByText('on', { exact: true }).waitFor();
    expect((await path.gateway.call('admin', 'GET', '/organization')).body.features.review).toBe(true);
  });

  journey('Ctrl-K finds pages, connections, people and sessions', async ({ open }) => {
    const { body } = await path.run('SELECT 1');
    const admin = await open('admin', '/health');
    const { keyboard } = admin.page;
    const search = async (words: string, found: RegExp): Promise<void> => {
      await admin.page.getByRole('navigation').waitFor();
      await keyboard.press('ControlOrMeta+K');
      // Types at once, because people do not wait until the search field appears.
      await keyboard.type(words);
      const option = admin.page.getByRole('option', { name: found });
      await option.waitFor();
      // Waits for all results, because a late result may be listed above the option.
      await admin.sees(/^\d+ found\./);
      const active = option.and(admin.page.locator('[aria-selected=true]'));
      await eventually('the option is active', async () => {
        if ((await active.count()) > 0) return true;
        await keyboard.press('ArrowDown');
        return false;
      });
      await keyboard.press('Enter');
      await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
    };
    await admin.sees('The gateway is ready');
    await admin.page.waitForLoadState('networkidle');
    await search('guardr', /^Guardrails Page$/i);
    await arrives(admin, 'Guardrails');
    await search('orders', /^orders Connection$/i);
    await arrives(admin, 'orders');
    await search('bob', /^Bob .*User$/i);
    await arrives(admin, 'Bob Operator');
    await search(body.session_id as string, /Session$/i);
    await admin.page.getByRole('log').getByText('SELECT 1').waitFor();
    await keyboard.press('ControlOrMeta+K');
    await keyboard.type('no such thing at all');
    await admin.sees('Nothing was found.');
    await keyboard.press('Escape');
    await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  journey('what a role may not see is not shown, nor reached by its address', async ({ open }) => {
    const alice = await open('alice', '/connections');
    await arrives(alice, 'My connections');
    const pages = alice.page.getByRole('navigation').getByRole('link');
    await expectSoon(
      () => pages.allInnerTexts(),
      [
        'My connections',
        'Run scripts',
        'My requests',
        'To decide',
        'To sign off',
        'My sessions',
        'My MCP clients',
        'My SSH keys',
      ],
    );
    for (const address of ['/users', '/api-keys', '/webhooks', '/audit', '/guardrails', '/new/connection']) {
      await alice.go(address);
      await arrives(alice, 'You may not see this.');
    }
    const auditor = await open('auditor', '/');
    await arrives(auditor, 'Sessions');
  });
});
