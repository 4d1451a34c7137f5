import { Client } from 'pg';
import { eventually } from '../../support/eventually';
import { ConnectionScreen } from '../../support/portal/connection-screen';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Journey, describeJourneys } from '../../support/portal/journeys';
import { startReviewPath } from '../../support/review-path';

/** Runs a query with the connection string in the `psql` command that the page shows. */
async function askedWith(line: string): Promise<unknown> {
  const address = /^psql '(.*)'$/.exec(line)?.[1];
  if (address === undefined) throw new Error(`no line for psql: ${line}`);
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT count(*)::int AS n FROM customers');
    return rows;
  } finally {
    await client.end();
  }
}

const FOR_ALL = { access_groups: ['*'] };

describeJourneys('my connections', startReviewPath, ({ path, journey }) => {
  beforeAll(async () => {
    const on = await path.gateway.call('admin', 'PATCH', '/organization', {
      features: { access_control: true },
    });
    expect([on.status, on.text]).toEqual([200, expect.any(String)]);
    const shown = await path.gateway.call('admin', 'PATCH', '/connections/orders', FOR_ALL);
    expect([shown.status, shown.text]).toEqual([200, expect.any(String)]);
  });

  journey('are found by a part of their name', async ({ open, unique }) => {
    const name = unique('sought');
    await path.connect(name, FOR_ALL);
    const alice = await open('alice', '/connections');
    await alice.page.getByRole('link', { name: 'orders', exact: true }).waitFor();
    await alice.fill(alice.page.getByRole('textbox', { name: 'Search connections' }), name);
    await alice.page.getByRole('link', { name: 'orders', exact: true }).waitFor({ state: 'detached' });
    await alice.page.getByRole('cell', { name: 'PostgreSQL', exact: true }).waitFor();
    await alice.fill(alice.page.getByRole('textbox', { name: 'Search connections' }), `${name}-none`);
    await alice.sees('No connection that you may see matches.');
    await alice.fill(alice.page.getByRole('textbox', { name: 'Search connections' }), name);
    await alice.press(alice.page.getByRole('link', { name, exact: true }));
    await alice.sees('You may open it');
  });

  journey('say after whose approval they open', async ({ open }) => {
    const name = await path.reviewed({ access_type: 'jit' }, FOR_ALL);
    const alice = await open('alice', `/connections/${name}`);
    await alice.sees('psql: You may open it after an approval');
    await alice.sees('Run SQL: You may open it');
    await alice.sees('Groups that are asked: dba.');
  });

  journey('give a credential that is shown once, works, and is revoked', async ({ open, unique }) => {
    const alice = await open('alice', '/connections/orders');
    const screen = new ConnectionScreen(alice);
    const reason = unique('ticket');
    await alice.choose(alice.page.getByRole('combobox', { name: 'For how long' }), '15 minutes');
    await alice.fill(alice.page.getByRole('textbox', { name: 'Reason' }), reason);
    await alice.press(screen.button('Get a credential'));
    await alice.sees('This password is shown once');
    const line = await screen.copied('Line for your terminal').innerText();
    const password = await screen.copied('Password').innerText();
    expect(await askedWith(line)).toEqual([{ n: 2 }]);
    const row = screen.credentials.filter({ hasText: reason });
    await row.getByText('active', { exact: true }).waitFor();
    await row.getByText(/in 1\d minutes/).waitFor();

    await alice.page.reload();
    await row.waitFor();
    expect(await alice.page.content()).not.toContain(password);
    await alice.press(row.getByRole('button', { name: 'Revoke' }));
    await row.getByText('revoked', { exact: true }).waitFor();
    await expect(askedWith(line)).rejects.toThrow();
  });

  journey('give the line for a terminal to the clipboard', async ({ open }) => {
    const alice = await open('alice', '/connections/orders', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const screen = new ConnectionScreen(alice);
    await alice.press(screen.button('Get a credential'));
    await alice.press(screen.button('Copy: Line for your terminal'));
    const line = await screen.copied('Line for your terminal').innerText();
    await eventually(
      'the copy',
      async () => (await alice.page.evaluate<string>('navigator.clipboard.readText()')) === line,
    );
  });

  /** Requests access that bob has to approve. */
  const asked = async (open: Journey['open']) => {
    const name = await path.reviewed({ access_type: 'jit' }, FOR_ALL);
    const alice = await open('alice', `/connections/${name}`);
    const screen = new ConnectionScreen(alice);
    await alice.press(screen.button('Get a credential'));
    await alice.sees('Your request waits for its reviewers');
    const { body } = await path.by('bob', 'GET', '/reviews?mine=to_decide');
    const review = body.data.find((each: { connection: { name: string } }) => each.connection.name === name);
    return { alice, screen, review: review as { id: string } };
  };

  journey('give access for as long as its approver allows', async ({ open }) => {
    const { alice, screen, review } = await asked(open);
    const bob = await open('bob', `/reviews/${review.id}`);
    await bob.choose(bob.page.getByRole('combobox', { name: 'For how long' }), '15 minutes');
    await bob.press(bob.page.getByRole('button', { name: 'Approve', exact: true }));
    await bob.sees('For 15 minutes');
    await alice.press(screen.button('Get a credential'));
    await alice.sees('This password is shown once');
    await screen.credentials
      .getByText(/in 1\d minutes/)
      .first()
      .waitFor();
  });

  journey('give a credential when the requester asks again after the approval', async ({ open }) => {
    const { alice, screen, review } = await asked(open);
    await path.say('bob', review.id, { status: 'APPROVED' });
    await alice.press(screen.button('Get a credential'));
    await alice.sees('This password is shown once');
    const bob = await open('bob', `/reviews/${review.id}`);
    await bob.sees('No session has run under it.');
    expect(await askedWith(await screen.copied('Line for your terminal').innerText())).toEqual([{ n: 2 }]);
    // No event on the stream reports the new session, so the page must poll for it.
    const ran = bob.page.getByRole('table').filter({ hasText: 'Sessions that ran under it, newest first' });
    await ran.getByRole('row').filter({ hasText: 'alice@example.com' }).waitFor();
    expect(await ran.getByRole('link').getAttribute('href')).toMatch(/^\/sessions\/[\w-]+$/);
  });

  journey(
    'of others are not shown, and by address like those that do not exist',
    async ({ open, unique }) => {
      const name = unique('withheld');
      await path.connect(name, { access_groups: ['dba'] });
      const alice = await open('alice', '/connections');
      await alice.page.getByRole('link', { name: 'orders', exact: true }).waitFor();
      expect(await alice.page.getByRole('link', { name, exact: true }).count()).toBe(0);
      await alice.go(`/connections/${name}`);
      const withheld = await alice.page.getByRole('alert').first().innerText();
      await alice.go('/connections/nowhere');
      expect((await alice.page.getByRole('alert').first().innerText()).replaceAll('nowhere', name)).toBe(
        withheld,
      );
    },
  );

  journey('of MCP servers tell how a client reaches them', async ({ open, unique }) => {
    const name = unique('tools');
    const created = await path.gateway.call('admin', 'POST', '/connections', {
      name,
      type: 'application',
      subtype: 'mcpproxy',
      ...FOR_ALL,
      secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
    });
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    const alice = await open('alice', `/connections/${name}`);
    const screen = new ConnectionScreen(alice);
    const url = `${path.gateway.api}/mcp/${name}`;
    await expectSoon(() => screen.copied('Address').innerText(), url);
    expect(JSON.parse(await screen.copied('Configuration of an MCP client').innerText())).toEqual({
      mcpServers: { [name]: { type: 'http', url } },
    });
    const settings = { name: 'Settings of the connection', exact: true };
    expect(await alice.page.getByRole('link', settings).count()).toBe(0);
    const admin = await open('admin', `/connections/${name}`);
    await admin.press(admin.page.getByRole('link', settings));
    await admin.page.getByRole('heading', { name, level: 1 }).waitFor();
    await expectSoon(async () => new URL(admin.page.url()).pathname, `/admin-connections/${name}`);
  });

  journey('are shown dark or light, as the reader chose', async ({ open }) => {
    const alice = await open('alice', '/connections');
    const shown = (scheme: string): Promise<void> =>
      alice.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    await shown('light');
    await alice.press(alice.page.getByRole('button', { name: 'Switch between light and dark' }));
    await shown('dark');
    await alice.page.reload();
    await alice.page.getByRole('heading', { name: 'My connections', level: 1 }).waitFor();
    await shown('dark');
  });
});
