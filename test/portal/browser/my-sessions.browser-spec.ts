import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { startDataPath } from '../../support/data-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Visit, describeJourneys } from '../../support/portal/journeys';

/** The links to sessions in the list. */
const listed = ({ page }: Visit): Locator => page.getByRole('main').getByRole('link', { name: /20\d\d/ });

describeJourneys('my sessions at the portal', startDataPath, ({ path, journey }) => {
  const ran = async (script: string, person: 'alice' | 'bob' = 'alice'): Promise<string> =>
    (await path.run(script, {}, person)).body.session_id as string;

  journey('are found in the list, and have what was sent and what came back', async ({ open, unique }) => {
    const mark = unique('found');
    const id = await ran(`SELECT '${mark}' AS mark`);
    const alice = await open('alice', `/sessions?q=${mark}`);
    await alice.press(listed(alice).first());
    const log = alice.page.getByRole('log', { name: 'Recording' });
    await log.getByText(`SELECT '${mark}' AS mark`).waitFor();
    await log.getByText('output').first().waitFor();
    expect(new URL(alice.page.url()).pathname).toBe(`/sessions/${id}`);
  });

  journey('are searched by words, which the address keeps', async ({ open, unique }) => {
    const [one, other] = [unique('wordone'), unique('wordother')];
    await ran(`SELECT '${one}'`);
    await ran(`SELECT '${other}'`);
    const alice = await open('alice', '/sessions');
    await alice.fill(alice.page.getByRole('textbox', { name: 'Words of inputs' }), one);
    await alice.press(alice.page.getByRole('button', { name: 'Filter', exact: true }));
    await alice.sees(/^1 session$/);
    await alice.page.waitForURL((url) => url.search.includes(one));
    await alice.press(listed(alice).first());
    await alice.page.getByRole('log', { name: 'Recording' }).getByText(one).first().waitFor();
    await alice.page.goBack();
    await alice.sees(/^1 session$/);
    await expectSoon(() => alice.page.getByRole('textbox', { name: 'Words of inputs' }).inputValue(), one);
  });

  journey('of others are neither listed nor opened', async ({ open, unique }) => {
    const mark = unique('others');
    const id = await ran(`SELECT '${mark}'`, 'bob');
    const alice = await open('alice', `/sessions?q=${mark}`);
    await alice.sees(/^0 sessions$/);
    await alice.go(`/sessions/${id}`);
    await alice.page.getByRole('alert').getByText('there is no session with this id').waitFor();
    expect(await alice.page.getByText(mark).count()).toBe(0);
  });

  journey('are downloaded', async ({ open, unique }) => {
    const mark = unique('downloaded');
    const id = await ran(`SELECT '${mark}' AS mark`);
    const alice = await open('alice', `/sessions/${id}`);
    await alice.press(alice.page.getByRole('tab', { name: 'Downloads' }));
    const download = alice.page.waitForEvent('download');
    await alice.press(alice.page.getByRole('link', { name: 'Plain content' }));
    expect(await readFile(await (await download).path(), 'utf8')).toContain(mark);
  });

  journey('that run are followed', async ({ open, unique }) => {
    const mark = unique('followed');
    const script = `SELECT '${mark}'; SELECT pg_sleep(4); SELECT '${mark}-later'`;
    const running = path.run(script, { correlation_id: mark }, 'alice');
    await path.untilRunning(/pg_sleep/);
    const { data } = (await path.gateway.call('alice', 'GET', `/sessions?correlation_id=${mark}`)).body;
    const id = data[0].id as string;
    const alice = await open('alice', `/sessions/${id}`);
    const log = alice.page.getByRole('log', { name: 'Recording' });
    await log.getByText(mark).first().waitFor();
    expect((await running).status).toBe(200);
    await log.getByText(`${mark}-later`).first().waitFor();
    await alice.sees('That is all.');
  });
});
