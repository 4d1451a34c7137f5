import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually';
import { type Visit, describeJourneys } from '../../support/portal/journeys';
import { startSshClients } from '../../support/ssh/ssh-clients';

const UNKILLED = { unkilled: 'a session of files ends with its gateway' };

// promises: FILES-1, FILES-4
describeJourneys(
  'the files of a server',
  startSshClients,
  ({ path, journey }) => {
    let count = 0;

    beforeAll(async () => {
      const shown = await path.gateway.call('admin', 'PATCH', '/connections/server', {
        access_groups: ['*'],
      });
      expect([shown.status, shown.text]).toEqual([200, expect.any(String)]);
    });

    const press = (visit: Visit, name: string): Promise<void> =>
      visit.press(visit.page.getByRole('button', { name, exact: true }));
    const row = ({ page }: Visit, name: string): Locator => page.getByRole('button', { name, exact: true });
    /** Opens the files in a folder of this test, which is below the one in which the server starts. */
    const open = async (visit: Visit): Promise<string> => {
      const name = `a folder ${(count += 1)}`;
      await mkdir(join(path.server.folder, name));
      const tab = visit.page.getByRole('tab', { name: 'Files', exact: true });
      if (visit.way === 'mouse') await tab.click();
      else {
        await visit.page.getByRole('tab', { name: 'ssh', exact: true }).focus();
        await visit.page.keyboard.press('ArrowRight');
        await visit.page.keyboard.press('ArrowRight');
      }
      await press(visit, 'Open the files');
      return name;
    };
    /** Goes from the root to a folder, by its path. */
    const enter = async (visit: Visit, name: string): Promise<void> => {
      await press(visit, '/');
      for (const part of join(path.server.folder, name).split('/').slice(1)) await press(visit, `${part}/`);
      await visit.sees('This folder is empty.');
    };

    journey('are uploaded, renamed, downloaded and deleted', async (given) => {
      const alice = await given.open('alice', '/connections/server');
      const name = await open(alice);
      await enter(alice, name);
      const folder = join(path.server.folder, name);
      const content = randomBytes(300_000);
      const choosing = alice.page.waitForEvent('filechooser');
      await press(alice, 'Upload a file');
      await (
        await choosing
      ).setFiles({ name: 'report.bin', mimeType: 'application/octet-stream', buffer: content });
      await row(alice, 'report.bin').waitFor();
      expect((await readFile(join(folder, 'report.bin'))).equals(content)).toBe(true);
      await press(alice, 'Rename: report.bin');
      await alice.fill(alice.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'new.bin');
      await alice.press(alice.page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }));
      await row(alice, 'new.bin').waitFor();
      const downloading = alice.page.waitForEvent('download');
      await press(alice, 'new.bin');
      const saved = await downloading;
      expect(saved.suggestedFilename()).toBe('new.bin');
      expect((await readFile(await saved.path())).equals(content)).toBe(true);
      await press(alice, 'Delete: new.bin');
      await alice.press(alice.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await alice.sees('This folder is empty.');
      expect(await readdir(folder)).toEqual([]);
      await press(alice, 'New folder');
      await alice.fill(alice.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }), 'inner');
      await alice.press(
        alice.page.getByRole('dialog').getByRole('button', { name: 'New folder', exact: true }),
      );
      await row(alice, 'inner/').waitFor();
      await press(alice, 'Close them');
      await eventually('the session is over', async () => (await path.lastSession()).exit_code !== null);
    });

    journey('are replaced only after a question, and say what the server refuses', async (given) => {
      const alice = await given.open('alice', '/connections/server');
      const name = await open(alice);
      await enter(alice, name);
      const folder = join(path.server.folder, name);
      await writeFile(join(folder, 'kept'), 'old');
      await mkdir(join(folder, 'full', 'inner'), { recursive: true });
      await press(alice, name);
      const upload = async (text: string): Promise<void> => {
        const choosing = alice.page.waitForEvent('filechooser');
        await press(alice, 'Upload a file');
        await (await choosing).setFiles({ name: 'kept', mimeType: 'text/plain', buffer: Buffer.from(text) });
        await alice.sees('This folder has kept already.');
      };
      await row(alice, 'kept').waitFor();
      await upload('new');
      await press(alice, 'Cancel');
      expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('old');
      await upload('new');
      await press(alice, 'Replace it');
      await eventually(
        'it is replaced',
        async () => (await readFile(join(folder, 'kept'), 'utf8')) === 'new',
      );
      await press(alice, 'Delete: full');
      await alice.press(alice.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await alice.page.getByRole('alert').filter({ hasText: 'Failure' }).waitFor();
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['full']));
      const { body } = await path.gateway.call('admin', 'GET', '/sessions?status=open');
      await path.gateway.call('admin', 'POST', `/sessions/${body.data[0].id}/kill`);
      await alice.sees('The session was ended by admin@example.com.');
      await alice.sees('The session with the files has ended.');
    });
  },
  UNKILLED,
);
