import { createRule, denyWords } from '../../support/guardrails';
import { expectSoon } from '../../support/portal/expect-soon';
import { describeJourneys } from '../../support/portal/journeys';
import { arrives, parts } from '../../support/portal/parts';
import { startReviewPath } from '../../support/review-path';

const { field, list, box, button, link, row, answer } = parts;

/** Tests guardrails and access rules that operators set for connections, and their visible effects. */
describeJourneys('guardrails and access rules', startReviewPath, ({ path, journey }) => {
  journey('a guardrail is tried on text before it is made, and then holds', async ({ open, unique }) => {
    const name = unique('careful');
    await path.connect(name, { access_groups: ['*'] });
    const admin = await open('admin', '/guardrails');
    await admin.press(link(admin, 'New guardrail'));
    const input = admin.page.getByRole('group', { name: 'Entries that judge input' });
    await admin.fill(field(admin, 'Name'), name);
    await admin.press(input.getByRole('button', { name: 'Add an entry' }));
    await admin.fill(field(admin, 'Denied words, one a line'), 'customers_backup');
    await admin.fill(field(admin, 'Message to the person'), 'Not the backup.');
    await admin.press(input.getByRole('button', { name: 'Add an entry' }));
    const second = input.getByRole('group', { name: 'Entry 2' });
    await admin.choose(second.getByRole('combobox', { name: 'Kind', exact: true }), 'SQL statements');
    await admin.press(second.getByRole('checkbox', { name: 'UPDATE and DELETE without WHERE' }));
    await admin.fill(field(admin, 'Text to try'), 'DELETE FROM customers');
    await admin.press(button(admin, 'Try'));
    await admin.sees('Would be blocked');
    await row(admin, 'Entry 2').waitFor();
    await admin.fill(field(admin, 'Text to try'), 'SELECT 1');
    await admin.press(button(admin, 'Try'));
    await admin.sees('Passes');
    await admin.fill(list(admin, 'Connections'), name);
    await admin.page.getByRole('option', { name, exact: true }).waitFor();
    await admin.page.keyboard.press('ArrowDown');
    await admin.page.keyboard.press('Enter');
    await admin.page.keyboard.press('Escape');
    await admin.press(button(admin, 'Create'));
    await arrives(admin, name);

    const refused = await path.run('SELECT * FROM customers_backup', { connection: name }, 'alice');
    expect(refused.body).toMatchObject({ output_status: 'blocked', output: 'Not the backup.' });
    expect((await path.run('DELETE FROM customers', { connection: name }, 'alice')).body.output_status).toBe(
      'blocked',
    );
  });

  journey('a guardrail is tried on what people ran before', async ({ open, unique }) => {
    const word = unique('wanted').replace('-', '_');
    await path.run(`SELECT 1 AS ${word}`);
    const admin = await open('admin', '/new/guardrail');
    await admin.press(button(admin, 'Add an entry').first());
    await admin.fill(field(admin, 'Denied words, one a line'), word);
    await admin.fill(field(admin, 'Also on this many of the last sessions'), '50');
    await admin.press(button(admin, 'Try'));
    await admin.sees(/^1 of the last \d+ sessions would have been blocked\.$/);
    admin.page.once('dialog', (dialog) => void dialog.accept());
    await admin.press(admin.page.getByRole('main').getByRole('link').last());
    await admin.page.getByRole('log').getByText(`AS ${word}`).waitFor();
  });

  journey(
    'a guardrail says what screens output, what it hit, and how it came to be',
    async ({ open, unique }) => {
      const name = unique('masked');
      const connection = await path.connect(name, { access_groups: ['*'] });
      const id = await createRule(path.gateway, {
        name,
        connection_ids: [connection],
        output: { rules: [] },
        input: denyWords(['nothing like this']),
      });
      const admin = await open('admin', `/guardrails/${id}`);
      const output = admin.page.getByRole('group', { name: 'Entries that screen output' });
      await admin.press(output.getByRole('button', { name: 'Add an entry' }));
      await admin.choose(output.getByRole('combobox', { name: 'Kind', exact: true }), 'Sensitive data');
      await admin.press(box(admin, 'email'));
      await admin.choose(list(admin, 'Action on a match'), 'The match is masked');
      await admin.press(button(admin, 'Save'));
      await admin.sees('Saved.');
      const { body } = await path.run('SELECT email FROM customers', { connection: name }, 'alice');
      expect(body.output).not.toContain('grace@example.com');

      await admin.page.reload();
      await admin.sees(/Hits: 1 of/);
      const changed = admin.page.getByRole('article').filter({ hasText: 'changed by admin@example.com' });
      await changed
        .getByRole('row')
        .filter({ hasText: 'Entries that screen output' })
        .getByText('email')
        .waitFor();
      await admin.page.getByRole('article').filter({ hasText: 'created by admin@example.com' }).waitFor();
    },
  );

  journey('a guardrail is deleted, and what it forbade is allowed', async ({ open, unique }) => {
    const name = unique('gone');
    const connection = await path.connect(name, { access_groups: ['*'] });
    const id = await createRule(path.gateway, {
      name,
      connection_ids: [connection],
      input: denyWords(['customers']),
    });
    const run = async () =>
      (await path.run('SELECT count(*) FROM customers', { connection: name }, 'alice')).body.output_status;
    expect(await run()).toBe('blocked');
    const admin = await open('admin', `/guardrails/${id}`);
    await admin.press(button(admin, `Delete: ${name}`));
    await admin.press(answer(admin, 'Delete'));
    await arrives(admin, 'Guardrails');
    expect(await run()).toBe('success');
  });

  journey('an access rule says while it is typed who could approve', async ({ open, unique }) => {
    const name = unique('approved');
    await path.connect(name, { access_groups: ['*'] });
    const admin = await open('admin', '/access-rules');
    await admin.press(link(admin, 'New access rule'));
    await admin.fill(field(admin, 'Name'), name);
    await admin.choose(list(admin, 'Kind of access'), 'each script');
    await admin.add(list(admin, 'Connections'), name);
    await admin.add(list(admin, 'Groups that may review'), 'dba');
    await admin.sees('dba: 1 active person');
    await admin.fill(field(admin, 'Number of required approvals'), '2');
    await admin.sees(
      'Never satisfiable: 2 approvals are asked for, but there is one person in the group, and each person approves once.',
    );
    await admin.press(button(admin, 'Create'));
    await admin.page.getByRole('alert').filter({ hasText: 'approv' }).waitFor();
    await admin.fill(field(admin, 'Number of required approvals'), '1');
    await admin.sees('1 approval is needed; 1 person could give it.');
    await admin.press(button(admin, 'Create'));
    await arrives(admin, name);
    expect((await path.run('SELECT 1', { connection: name }, 'alice')).status).toBe(202);
  });

  journey('an operator changes the rule, and sees in Why? what changed', async ({ open, unique }) => {
    const name = unique('why');
    await path.connect(name, { access_groups: ['*'] });
    const rule = await path.rule({ reviewers_groups: ['dba'], connection_names: [name] });
    const admin = await open('admin', `/why?connection=${name}&user=alice@example.com`);
    await admin.sees('After an approval');
    await admin.sees('Groups that are asked: dba');
    await admin.press(link(admin, rule));
    await admin.add(list(admin, 'Groups that need no review'), 'engineering');
    await admin.press(button(admin, 'Save'));
    await admin.sees('Saved.');
    await admin.press(admin.page.getByRole('link', { name: 'Why?' }));
    await admin.fill(list(admin, 'Person'), 'alice@example.com');
    await admin.page.keyboard.press('Escape');
    await admin.fill(list(admin, 'Connection'), name);
    await admin.page.keyboard.press('Escape');
    await admin.press(button(admin, 'Ask'));
    await admin.sees('Open');
    await link(admin, rule).waitFor();
    expect((await path.run('SELECT 1', { connection: name }, 'alice')).status).toBe(200);
  });

  journey('a question about somebody unknown is answered in words', async ({ open }) => {
    const auditor = await open('auditor', '/why?connection=orders&user=nobody@example.com');
    await auditor.page.getByRole('alert').getByText(/user/).first().waitFor();
    await auditor.fill(list(auditor, 'Person'), 'alice@example.com');
    await auditor.page.keyboard.press('Escape');
    await auditor.press(button(auditor, 'Ask'));
    await auditor.sees('alice@example.com on orders');
  });

  journey('of two editors of a rule, one takes what the other saved', async ({ open, unique }) => {
    const name = unique('both');
    await path.connect(name);
    const rule = await path.rule({ reviewers_groups: ['dba'], connection_names: [name] });
    const admin = await open('admin', `/access-rules/${rule}`);
    await admin.press(box(admin, 'A reason must be given'));
    const read = () => path.gateway.call('admin', 'GET', `/access-requests/rules/${rule}`);
    const { body } = await read();
    const other = { access_type: 'command', reviewers_groups: ['dba'], connection_names: [name] };
    await path.gateway.call('admin', 'PUT', `/access-requests/rules/${rule}`, {
      ...other,
      name: rule,
      min_approvals: body.min_approvals,
      description: 'theirs',
    });
    await admin.press(button(admin, 'Save'));
    await admin.sees('Somebody else changed this meanwhile');
    await expectSoon(
      () => row(admin, 'A reason must be given').getByRole('cell').allInnerTexts(),
      ['true', 'false'],
    );
    await row(admin, 'description').getByText('theirs').waitFor();
    await admin.press(button(admin, 'Take theirs'));
    await expectSoon(() => field(admin, 'Description').inputValue(), 'theirs');
    expect((await read()).body.reason_required).toBe(false);
  });

  journey('auditors read the rules and change nothing', async ({ open, unique }) => {
    const name = unique('read');
    await path.connect(name);
    const rule = await path.rule({ reviewers_groups: ['dba'], connection_names: [name] });
    const auditor = await open('auditor', '/access-rules');
    await auditor.press(link(auditor, rule));
    await auditor.sees('1 approval is needed; 1 person could give it.');
    await expectSoon(() => field(auditor, 'Description').isDisabled(), true);
    expect(await auditor.page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);
    await auditor.go('/new/access-rule');
    await auditor.sees('You may not see this.');
  });
});
