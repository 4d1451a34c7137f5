import { startDataPath } from '../../support/data-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Visit, describeJourneys } from '../../support/portal/journeys';
import { parts } from '../../support/portal/parts';
import { secretOf } from '../../support/target';

const { field, list, button, answer } = parts;

/** Tests what operators can do with connections. */
describeJourneys('connections of operators', startDataPath, ({ path, journey }) => {
  const switches = (visit: Visit): Promise<string[]> =>
    visit.page
      .getByRole('group', { name: 'Access', exact: true })
      .locator('.mantine-Checkbox-label')
      .allInnerTexts();
  /** Returns the connection as the API shows it to an admin. */
  const connection = async (name: string) =>
    (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body as {
      description: string;
      secret: Record<string, string>;
    };

  journey('are made, and tried; what the gateway refuses stays in the form', async ({ open, unique }) => {
    const admin = await open('admin', '/admin-connections');
    const secret = secretOf(path.target);
    const name = unique('made');
    await admin.press(admin.page.getByRole('link', { name: 'New connection' }));
    await admin.fill(field(admin, 'Name'), 'not a name');
    // The page offers only the switches that apply to this connection.
    await expectSoon(
      () => switches(admin),
      [
        'Clients of the target’s own protocol may connect',
        'Scripts may be run',
        'The editor of scripts completes the names of tables and columns',
      ],
    );
    for (const key of ['HOST', 'PORT', 'USER', 'DB']) await admin.fill(field(admin, key), secret[key] ?? '');
    await admin.fill(admin.page.getByLabel('PASS', { exact: true }), 'typed-and-never-shown');
    await admin.choose(list(admin, 'SSLMODE'), 'disable');
    await admin.add(list(admin, 'Groups that may open it'), 'engineering');
    await admin.add(list(admin, 'Groups with emergency access'), 'dba');
    await admin.press(button(admin, 'Create'));
    await admin.page.getByRole('alert').getByText('name must be').waitFor();
    await expectSoon(() => field(admin, 'HOST').inputValue(), secret['HOST']);

    await admin.fill(field(admin, 'Name'), name);
    await admin.press(button(admin, 'Create'));
    await admin.sees('The connection was created.');
    await admin.press(button(admin, 'Test the connection'));
    await admin.sees(/^The target (answered|could not be reached)/);
    await admin.press(button(admin, 'Go to the connection'));
    await admin.sees('Stored values are never shown.');
    expect(await admin.page.content()).not.toContain('typed-and-never-shown');
    expect(await connection(name)).toMatchObject({
      access_groups: ['engineering'],
      emergency_access_groups: ['dba'],
    });
  });

  journey('of MCP servers begin with an entry of the catalog', async ({ open, unique }) => {
    const admin = await open('admin', '/new/connection');
    const name = unique('notion');
    await admin.press(admin.page.getByRole('radio', { name: 'From the catalog' }));
    await admin.sees(/^172 of 172 servers/);
    await admin.fill(field(admin, 'Search the catalog'), 'github');
    const github = admin.page.getByRole('region', { name: 'github', exact: true });
    await github.getByText('static (usual)', { exact: true }).waitFor();
    await github.getByText('oauth', { exact: true }).waitFor();
    await github.getByText(/^A fine-grained personal access token is the portable choice/).waitFor();
    await admin.fill(field(admin, 'Search the catalog'), 'notion');
    await admin.press(button(admin, 'Use this server: notion'));
    await admin.sees('Address, transport and sign-in come from the catalog');
    await expectSoon(() => switches(admin), ['Clients of the target’s own protocol may connect']);
    await admin.fill(field(admin, 'Name'), name);
    await admin.press(button(admin, 'Create'));
    await admin.sees('The connection was created.');
    await admin.press(button(admin, 'Go to the connection'));
    await admin.sees('From the catalog:');
    await admin.press(admin.page.getByRole('link', { name: 'Tools', exact: true }));
    await admin.sees('No tool was listed yet.');
  });

  journey('have values that nobody reads: they stay, are replaced, or removed', async ({ open, unique }) => {
    const name = unique('secret');
    await path.connect(name, { secret: { ...secretOf(path.target), HOST: 'nowhere.invalid' } });
    const admin = await open('admin', `/admin-connections/${name}`);
    await admin.press(button(admin, 'Test the connection'));
    await admin.sees('The target could not be reached');
    expect(await field(admin, 'HOST').inputValue()).toBe('');
    await admin.fill(field(admin, 'HOST'), secretOf(path.target)['HOST'] ?? '');
    await admin.press(button(admin, 'Remove: SSLMODE'));
    await admin.sees('Will be removed when you save.');
    await admin.press(button(admin, 'Save'));
    await admin.sees('Saved.');
    await admin.press(button(admin, 'Test the connection'));
    await admin.sees('The target answered');
    expect(Object.keys((await connection(name)).secret)).toEqual(expect.not.arrayContaining(['SSLMODE']));
    expect(await admin.page.content()).not.toContain('nowhere.invalid');
  });

  journey('that two people change show both versions', async ({ open, unique }) => {
    const name = unique('shared');
    await path.connect(name);
    const one = await open('admin', `/admin-connections/${name}`);
    const other = await open('admin', `/admin-connections/${name}`);
    await one.fill(field(one, 'Description'), 'said by one');
    await other.fill(field(other, 'Description'), 'said by the other');
    await one.press(button(one, 'Save'));
    await one.sees('Saved.');
    await other.press(button(other, 'Save'));
    await other.sees('Somebody else changed this meanwhile');
    const row = other.page.getByRole('row').filter({ hasText: 'description' });
    await expectSoon(() => row.getByRole('cell').allInnerTexts(), ['said by the other', 'said by one']);
    await other.press(button(other, 'Keep mine'));
    await other.sees('Saved.');
    expect((await connection(name)).description).toBe('said by the other');

    await one.fill(field(one, 'Description'), 'said again');
    await one.press(button(one, 'Save'));
    await one.sees('Somebody else changed this meanwhile');
    await one.press(button(one, 'Take theirs'));
    await expectSoon(() => field(one, 'Description').inputValue(), 'said by the other');
    expect((await connection(name)).description).toBe('said by the other');
  });

  journey('are deleted when asked twice, and only as they were read', async ({ open, unique }) => {
    const name = unique('gone');
    await path.connect(name);
    const admin = await open('admin', `/admin-connections/${name}`);
    const dialog = admin.page.getByRole('dialog');
    await admin.press(button(admin, `Delete: ${name}`));
    await admin.press(answer(admin, 'Cancel'));
    await dialog.waitFor({ state: 'hidden' });
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { description: 'still in use' });

    await admin.press(button(admin, `Delete: ${name}`));
    await admin.press(answer(admin, 'Delete'));
    await admin.sees('Somebody else changed it since you read it');
    await dialog.getByRole('cell', { name: 'still in use' }).waitFor();
    expect((await connection(name)).description).toBe('still in use');
    await admin.press(answer(admin, 'Delete'));
    await admin.page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    await admin.page.getByRole('link', { name, exact: true }).waitFor({ state: 'hidden' });
    const { status } = await path.gateway.call('admin', 'GET', `/connections/${name}`);
    expect(status).toBe(404);
  });

  journey('that was typed is not lost on the way to another page', async ({ open, unique }) => {
    const admin = await open('admin', '/new/connection');
    const name = unique('typed');
    await admin.fill(field(admin, 'Name'), name);
    admin.page.once('dialog', (dialog) => void dialog.dismiss());
    await admin.press(admin.page.getByRole('link', { name: 'Guardrails' }));
    await admin.page.getByRole('heading', { name: 'New connection' }).waitFor();
    await expectSoon(() => field(admin, 'Name').inputValue(), name);
  });
});
