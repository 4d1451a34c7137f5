import { psql } from '../../support/psql';
import { expectSoon } from '../../support/portal/expect-soon';
import { describeJourneys } from '../../support/portal/journeys';
import { arrives, parts } from '../../support/portal/parts';
import { approve, ruleForScripts } from '../../support/waiting-scripts';
import { DENIED, startWirePath } from '../../support/wire-path';

const { field, button, link, tab, row, answer } = parts;

/** Tests how auditors read sessions and events, and what operators can do with them. */
describeJourneys('sessions and what happened', startWirePath, ({ path, journey }) => {
  journey('an auditor searches, verifies, and takes the evidence along', async ({ open, unique }) => {
    const word = unique('needle').replace('-', '_');
    await path.run(`SELECT 1 AS ${word}`, {}, 'admin');
    await path.run('SELECT 2', {}, 'admin');
    const auditor = await open('auditor', '/');
    await arrives(auditor, 'Sessions');
    await auditor.fill(field(auditor, 'Words of inputs'), word);
    await auditor.press(button(auditor, 'Filter'));
    await auditor.sees('1 session');
    // The address contains the search, so a reload keeps it.
    await auditor.page.reload();
    await auditor.sees('1 session');
    await auditor.press(link(auditor, /20\d\d/));
    await auditor.page.getByRole('log').getByText(`AS ${word}`).waitFor();
    await auditor.press(tab(auditor, 'Verification'));
    await auditor.sees('The recording is');
    await auditor.press(tab(auditor, 'Downloads'));
    const download = auditor.page.waitForEvent('download');
    await auditor.press(link(auditor, 'Evidence, to be verified offline'));
    expect((await download).suggestedFilename()).toMatch(/^[\w.-]+$/);
    expect(await (await download).failure()).toBeNull();
    expect(await auditor.page.getByRole('button', { name: /hold|Keep|Save|End/ }).count()).toBe(0);
  });

  journey('filters that are rarely used are shown when they are asked for', async ({ open }) => {
    const { body } = await path.run(`SELECT '${DENIED}'`);
    const auditor = await open('auditor', '/sessions');
    await auditor.press(button(auditor, 'All filters'));
    await auditor.choose(auditor.page.getByRole('combobox', { name: 'Review', exact: true }), 'waits');
    await auditor.fill(field(auditor, 'Guardrail'), 'no-such-guardrail');
    await auditor.press(button(auditor, 'Filter'));
    await auditor.sees('0 sessions');
    expect(new URL(auditor.page.url()).searchParams.get('review.status')).toBe('PENDING');
    await auditor.press(button(auditor, 'Clear'));
    const blocked = row(auditor, 'blocked').first();
    await expectSoon(async () => (await blocked.getByRole('cell').allInnerTexts())[2], 'script');
    await blocked.getByRole('cell', { name: /second/ }).waitFor();
    await auditor.press(blocked.getByRole('link'));
    await auditor.sees('Stopped by a guardrail (input)');
    expect(body.output_status).toBe('blocked');
  });

  journey('an auditor finds all requests, and who decided them', async ({ open, unique }) => {
    const [decided, waiting] = [unique('decided'), unique('waiting')];
    for (const name of [decided, waiting]) {
      await path.connect(name);
      await ruleForScripts(path.gateway, name);
    }
    const { body } = await path.run('SELECT 1', { connection: decided }, 'alice');
    await approve(path.gateway, body.review_id as string);
    await path.run('SELECT 2', { connection: waiting }, 'alice');
    const auditor = await open('auditor', '/');
    await auditor.press(auditor.page.getByRole('navigation').getByRole('link', { name: 'All requests' }));
    await arrives(auditor, 'All requests');
    const cells = (name: string) => row(auditor, `Script on ${name}`).getByRole('cell').allInnerTexts();
    await expectSoon(
      async () => (await cells(decided)).toSpliced(2, 1),
      [`Script on ${decided}\n\nSELECT 1`, 'Alice Engineer', 'APPROVED', 'Bob Operator'],
    );
    await auditor.choose(auditor.page.getByRole('combobox', { name: 'State', exact: true }), 'waits');
    await row(auditor, `Script on ${decided}`).waitFor({ state: 'detached' });
    // The address contains the filter, so a reload keeps it.
    await auditor.page.reload();
    await expectSoon(
      async () => (await cells(waiting)).toSpliced(2, 1),
      [`Script on ${waiting}\n\nSELECT 2`, 'Alice Engineer', 'WAITS', ''],
    );
    expect(await row(auditor, `Script on ${decided}`).count()).toBe(0);
    await auditor.press(link(auditor, `Script on ${waiting}`));
    await arrives(auditor, `Script on ${waiting}`);
    await auditor.go('/audit');
    await auditor.sees(/the audit log, and what holds keys and secrets, is for administrators alone/);
  });

  journey('a terminal recording plays', async ({ open, unique }) => {
    const word = unique('played').replace('-', '_');
    await psql(path.through, ['-c', `SELECT 42 AS ${word}`]);
    const auditor = await open('auditor', `/sessions/${await path.lastSession()}`);
    await auditor.press(tab(auditor, 'Player'));
    const player = auditor.page.locator('.ap-player');
    await player.waitFor();
    await auditor.press(player.getByRole('button', { name: /play/i }).first());
    await player.getByText(word).first().waitFor();
  });

  journey('a session is kept, and noted about; the auditor reads both', async ({ open, unique }) => {
    const note = `${unique('case')}, told to the board`;
    const { body } = await path.run('SELECT 3');
    const id = body.session_id as string;
    const admin = await open('admin', `/sessions/${id}`);
    await admin.press(button(admin, 'Keep beyond its retention'));
    await button(admin, 'Release the hold').waitFor();
    await admin.fill(field(admin, 'Note'), note);
    await admin.press(button(admin, 'Save'));
    await admin.sees('Saved.');
    const auditor = await open('auditor', `/sessions/${id}`);
    await auditor.sees(/^Kept beyond its retention by/);
    await auditor.page.getByRole('cell', { name: note }).waitFor();
  });

  journey('a running session is seen live, and ended', async ({ open, unique }) => {
    const word = unique('slow').replace('-', '_');
    const ran = path.run(`SELECT 7 AS ${word}; SELECT pg_sleep(600)`);
    await path.untilRunning(/pg_sleep/);
    const admin = await open('admin', '/sessions?status=open');
    await admin.press(link(admin, /20\d\d/).first());
    await admin.page.getByRole('log').getByText(`AS ${word}`).waitFor();
    await admin.press(button(admin, 'End the session'));
    await admin.press(answer(admin, 'End the session'));
    await button(admin, 'End the session').waitFor({ state: 'hidden' });
    await admin.sees('That is all.');
    expect((await ran).body.output_status).not.toBe('success');
  });

  journey('the audit log is searched, read field by field, and verified', async ({ open, unique }) => {
    const name = unique('audited');
    await path.connect(name, { description: 'as it was made' });
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { description: 'as it was changed' });
    const admin = await open('admin', '/audit');
    await admin.fill(field(admin, 'Type of resource'), 'connections');
    await admin.choose(parts.list(admin, 'Action'), 'update');
    await admin.press(button(admin, 'Filter'));
    await admin.page.waitForURL(/action=update/);
    await row(admin, 'create').waitFor({ state: 'hidden' });
    await admin.press(admin.page.getByRole('button', { name: /^Details of line/ }).first());
    const changed = row(admin, 'as it was changed').last();
    await expectSoon(
      () => changed.getByRole('cell').allInnerTexts(),
      ['as it was made', 'as it was changed'],
    );
    await admin.press(button(admin, 'Verify the audit log'));
    await admin.sees('The audit log is complete and unchanged');
    await admin.sees(/lines are valid from the first one on/);
  });

  journey('a run of the retention is started, when asked twice', async ({ open }) => {
    const admin = await open('admin', '/retention');
    await admin.press(button(admin, 'Start a run now'));
    await admin.press(answer(admin, 'Start a run now'));
    await admin.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await row(admin, 'finished').filter({ hasText: 'admin' }).first().waitFor();
    const auditor = await open('auditor', '/retention');
    await row(auditor, 'finished').first().waitFor();
    // Makes the window wide, because only a wide window shows all columns of the table.
    await auditor.page.setViewportSize({ width: 1440, height: 900 });
    const runs = auditor.page.getByRole('table').filter({ hasText: 'Months dropped' });
    expect(
      await runs.evaluate(({ parentElement: box }) => (box?.scrollWidth ?? 1) <= (box?.clientWidth ?? 0)),
    ).toBe(true);
    expect(await button(auditor, 'Start a run now').count()).toBe(0);
  });

  journey('the health of the gateway is told', async ({ open }) => {
    const auditor = await open('auditor', '/health');
    await auditor.sees('The gateway is ready');
    await auditor.press(button(auditor, 'Ask again'));
    await row(auditor, 'Version of the program').waitFor();
  });

  journey('a session that is not there is said so', async ({ open }) => {
    const auditor = await open('auditor', '/sessions/00000000-0000-4000-8000-000000000000');
    await auditor.page.getByRole('alert').waitFor();
    await auditor.press(button(auditor, 'Try again'));
    await auditor.page.getByRole('alert').waitFor();
  });
});
