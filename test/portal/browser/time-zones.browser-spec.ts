import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { startDataPath } from '../../support/data-path';
import { type Listed, sampleSessions, storeSessions } from '../../support/listed-sessions';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Visit, describeJourneys } from '../../support/portal/journeys';

/**
 * Start times in the night in which clocks in Berlin go back from 3 to 2. Clocks in Newfoundland go back a
 * week later; clocks in the Chatham Islands went forward a month before.
 */
const STARTS = [
  '2026-10-24T22:30:00Z',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-10-25T12:00:00Z',
];
const UTC = STARTS.map((at) => `${at.replace('T', ' ').slice(0, 19)} UTC`).toReversed();

/** The local times of `STARTS` in each time zone, newest first. */
const CLOCKS: Readonly<Record<string, readonly string[]>> = {
  'Europe/Berlin': [
    'Oct 25, 2026, 1:00:00 PM',
    'Oct 25, 2026, 2:30:00 AM',
    'Oct 25, 2026, 2:30:00 AM',
    'Oct 25, 2026, 12:30:00 AM',
  ],
  'America/St_Johns': [
    'Oct 25, 2026, 9:30:00 AM',
    'Oct 24, 2026, 11:00:00 PM',
    'Oct 24, 2026, 10:00:00 PM',
    'Oct 24, 2026, 8:00:00 PM',
  ],
  'Pacific/Chatham': [
    'Oct 26, 2026, 1:45:00 AM',
    'Oct 25, 2026, 3:15:00 PM',
    'Oct 25, 2026, 2:15:00 PM',
    'Oct 25, 2026, 12:15:00 PM',
  ],
};

const times = ({ page }: Visit): Locator => page.getByRole('main').locator('td time');
/** Replaces the no-break spaces of times by plain spaces. */
const plain = (texts: readonly (string | null)[]): string[] =>
  texts.map((text) => (text ?? '').replaceAll(/\s/g, ' '));
const shown = async (visit: Visit): Promise<string[]> => plain(await times(visit).allInnerTexts());
const hints = async (visit: Visit): Promise<string[]> =>
  plain(await Promise.all((await times(visit).all()).map((time) => time.getAttribute('title'))));
const searchedFrom =
  (start: string) =>
  (url: URL): boolean =>
    url.searchParams.get('start_date') === start;
const toUtc = ({ page }: Visit): Locator => page.getByRole('switch', { name: 'Times in UTC' });

// promises: PORTAL-13
describeJourneys('times at the portal', startDataPath, ({ path, journey }) => {
  /** Creates sessions that began at `STARTS`, on the connection `name`. */
  const begun = async (name: string): Promise<string> => {
    const [org] = await path.gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    const [sample] = sampleSessions(1) as [Listed];
    const one = { ...sample, status: 'done' as const, verb: 'exec' as const, review: null, connection: name };
    const sessions = STARTS.map((start) => ({ ...one, id: randomUUID(), start }));
    await storeSessions(path.gateway.database, org?.id ?? '', sessions);
    return name;
  };

  journey('are those of the reader’s zone, with summer time and without', async ({ open, unique }) => {
    const connection = await begun(unique('summer'));
    for (const [timezoneId, clock] of Object.entries(CLOCKS)) {
      const auditor = await open('auditor', `/sessions?connection=${connection}`, { timezoneId });
      await auditor.sees(`${STARTS.length} sessions`);
      await times(auditor)
        .nth(STARTS.length - 1)
        .waitFor();
      await expectSoon(async () => [timezoneId, await shown(auditor)], [timezoneId, clock]);
      await expectSoon(async () => [timezoneId, await hints(auditor)], [timezoneId, UTC]);
    }
  });

  journey(
    'are in UTC for who asks, without a pointer too, until they ask otherwise',
    async ({ open, unique }) => {
      const timezoneId = 'Europe/Berlin';
      const connection = await begun(unique('utc'));
      const auditor = await open('auditor', `/sessions?connection=${connection}`, { timezoneId });
      await auditor.sees(`${STARTS.length} sessions`);
      await auditor.press(toUtc(auditor));
      await auditor.sees(UTC[0] ?? '');
      await expectSoon(async () => [await shown(auditor), await hints(auditor)], [UTC, CLOCKS[timezoneId]]);
      // A screen reader reads the time as text, and the switch shows whether the time is UTC.
      expect(await auditor.page.getByRole('main').ariaSnapshot()).toContain(UTC[1]);
      await expectSoon(() => toUtc(auditor).isChecked(), true);
      await auditor.page.reload();
      await auditor.sees(UTC[0] ?? '');
      await auditor.press(toUtc(auditor));
      await times(auditor).getByText('Oct 25, 2026').first().waitFor();
      await expectSoon(() => shown(auditor), CLOCKS[timezoneId]);
    },
  );

  journey('are typed in the zone in which they are shown', async ({ open, unique }) => {
    const connection = await begun(unique('typed'));
    const timezoneId = 'Europe/Berlin';
    const auditor = await open('auditor', `/sessions?connection=${connection}`, { timezoneId });
    const { page } = auditor;
    await auditor.sees(`${STARTS.length} sessions`);
    // 02:45 occurs twice in this night. The field means the first time, which is in summer time.
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.type('10252026');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('024500AM');
    await auditor.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await auditor.sees('2 sessions');
    await page.waitForURL(searchedFrom('2026-10-25T00:45:00.000Z'));
    await auditor.press(toUtc(auditor));
    await expectSoon(() => page.getByLabel('From (UTC)', { exact: true }).inputValue(), '2026-10-25T00:45');
    await page.getByLabel('From (UTC)', { exact: true }).focus();
    await page.keyboard.type('10252026');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('024500AM');
    await auditor.press(page.getByRole('button', { name: 'Filter', exact: true }));
    await auditor.sees('1 session');
    await page.waitForURL(searchedFrom('2026-10-25T02:45:00.000Z'));
  });
});
