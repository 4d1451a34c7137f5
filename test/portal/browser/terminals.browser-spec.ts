import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Visit, describeJourneys } from '../../support/portal/journeys';
import { startSshClients } from '../../support/ssh/ssh-clients';

const UNKILLED = { unkilled: 'a shell ends with its gateway' };

/** Pastes 400 000 characters into the focused element. */
const PASTE = `{
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'x'.repeat(400_000));
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}`;

// promises: TERMINAL-1, TERMINAL-4, TERMINAL-5, TERMINAL-6
describeJourneys(
  'terminals',
  startSshClients,
  ({ path, journey }) => {
    beforeAll(async () => {
      const shown = await path.gateway.call('admin', 'PATCH', '/connections/server', {
        access_groups: ['*'],
      });
      expect([shown.status, shown.text]).toEqual([200, expect.any(String)]);
    });

    const screen = ({ page }: Visit): Locator => page.locator('.xterm-rows');
    const shows = (visit: Visit, text: string): Promise<unknown> =>
      eventually(
        `the terminal shows ${text}`,
        async () => (await screen(visit).innerText()).includes(text),
        60_000,
      );
    const press = (visit: Visit, name: string): Promise<void> =>
      visit.press(visit.page.getByRole('button', { name, exact: true }));
    /** Opens a terminal, and waits until its shell takes commands. */
    const open = async (visit: Visit): Promise<void> => {
      await press(visit, 'Open a terminal');
      await visit.page.getByRole('textbox', { name: 'Terminal at server' }).waitFor();
      await visit.page.keyboard.type("PS1='rea''dy>'\n");
      await shows(visit, 'ready>');
    };
    const at = async (visit: Visit): Promise<void> => {
      const tab = visit.page.getByRole('tab', { name: 'Terminal', exact: true });
      if (visit.way === 'mouse') return tab.click();
      await visit.page.getByRole('tab', { name: 'ssh', exact: true }).focus();
      await visit.page.keyboard.press('ArrowRight');
    };
    const openSession = async (): Promise<string> => {
      const { body } = await path.gateway.call('admin', 'GET', '/sessions?status=open');
      return body.data[0].id as string;
    };

    journey('run a shell, which is recorded, and can be left by keyboard', async (given) => {
      const alice = await given.open('alice', '/connections/server');
      await at(alice);
      await alice.fill(
        alice.page.getByRole('tabpanel').getByRole('textbox', { name: 'Reason' }),
        'ticket 42',
      );
      await open(alice);
      await alice.page.keyboard.type('echo $((6 * 7)) $(stty size)\n');
      await shows(alice, '42 ');
      // Colors that need a style of their own, a link and a title: all that a page's policy could refuse.
      await alice.page.keyboard.type(
        String.raw`printf '\033[38;2;255;0;0mcolo''red\033[0m \033]8;;https://evil.example.com\033\\li''nk\033]8;;\033\\ \033]0;title\007\n'` +
          '\n',
      );
      await shows(alice, 'colored link');
      await alice.page.keyboard.press('Control+F6');
      await alice.page.getByRole('button', { name: 'End it' }).and(alice.page.locator(':focus')).waitFor();
      await alice.page.getByRole('textbox', { name: 'Terminal at server' }).focus();
      await alice.page.keyboard.type('exit 7\n');
      await alice.sees('The terminal has ended with exit code 7.');
      const { id } = await path.lastSession();
      expect((await path.read(id)).body).toMatchObject({ reason: 'ticket 42', exit_code: 7 });
    });

    journey('say why they ended, and are opened again', async (given) => {
      const alice = await given.open('alice', '/connections/server');
      await at(alice);
      await open(alice);
      await path.gateway.call('admin', 'POST', `/sessions/${await openSession()}/kill`);
      await alice.sees('The terminal has ended with exit code 254.');
      await shows(alice, 'The session was ended by admin@example.com.');
      await open(alice);
      const closed = await openSession();
      await press(alice, 'End it');
      await screen(alice).waitFor({ state: 'detached' });
      await expectSoon(async () => (await path.read(closed)).body.exit_code, 255);
      // The page must not report an end that the person wanted as a lost connection.
      await alice.page.getByRole('button', { name: 'Open a terminal' }).waitFor();
      expect(await alice.page.getByText('was lost').count()).toBe(0);
    });

    journey('take what is pasted, and show much output, without losing any', async (given) => {
      const alice = await given.open('alice', '/connections/server');
      await at(alice);
      await open(alice);
      await alice.page.keyboard.type("stty raw -echo; echo be''gun; head -c 400000 | wc -c; stty sane\n");
      await shows(alice, 'begun');
      await alice.page.evaluate(PASTE);
      await shows(alice, '400000');
      await alice.page.keyboard.type('clear; seq 200000 | tail -c +1; echo en"d"ed\n');
      await shows(alice, 'ended');
      await shows(alice, '200000');
    });
  },
  UNKILLED,
);
