import type { Browser, Page } from 'playwright-core';
import { type Visitor, describeInBrowser, startChromium, visit } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { storeRecording, superuser } from '../../support/stored-recording';
import { secretOf } from '../../support/target';

/**
 * Bytes that are not UTF-8, and the text shown for them: Latin-1, a lone continuation byte, an overlong form,
 * half of a surrogate pair, and a cut character.
 */
const BYTES = [
  ['636166e9', 'caf\uFFFD'],
  ['6180', 'a\uFFFD'],
  ['c0af', '\uFFFD\uFFFD'],
  ['eda080', '\uFFFD\uFFFD\uFFFD'],
  ['61e28261', 'a\uFFFDa'],
] as const;

describeInBrowser('bytes that are no UTF-8, at the portal', () => {
  let browser: Browser;
  let path: DataPath;
  let visitor: Visitor;
  let page: Page;
  let database: string;

  const run = async (script: string): Promise<void> => {
    await page.goto(new URL('/run?connection=bytes', path.gateway.api).href);
    await page.getByRole('textbox', { name: 'SQL', exact: true }).fill(script);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/^It took/).waitFor();
  };

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startDataPath()]);
    database = `${secretOf(path.target)['DB']}_bytes`;
    await path.target.query(
      `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    await path.connect('bytes', { secret: { ...secretOf(path.target), DB: database } });
    visitor = await visit(browser, path.gateway, 'admin');
    ({ page } = visitor);
    await page.getByRole('navigation').waitFor();
  });
  afterEach(() => {
    expect(visitor.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await path.target.query(`DROP DATABASE ${database} WITH (FORCE)`);
    await path.close();
  });

  // promises: PORTAL-11
  it('are refused by a database without an encoding (SQL_ASCII), and the page has its words', async () => {
    await run(`SELECT convert_from('\\x636166c3a9', 'SQL_ASCII') AS word`);
    await page.getByRole('cell', { name: 'café', exact: true }).waitFor();
    for (const [bytes] of BYTES) {
      await run(`SELECT convert_from('\\x${bytes}', 'SQL_ASCII') AS word`);
      await page.getByText('Failed', { exact: true }).waitFor();
      await page.getByText(/invalid byte sequence for encoding "UTF8": 0x/).waitFor();
    }
  });

  // promises: PORTAL-11
  it('are shown as U+FFFD on the page of a session that recorded them', async () => {
    const { body } = await path.run('SELECT 1');
    const id = body.session_id as string;
    const events = BYTES.map(([bytes]) => ({
      time: 1,
      type: 'o' as const,
      content: Buffer.from(`${bytes}0a`, 'hex'),
      ends: true,
    }));
    const owner = await superuser(path.gateway.database);
    await storeRecording(owner, id, [events], Buffer.alloc(32));
    await owner.end();
    await page.goto(new URL(`/sessions/${id}`, path.gateway.api).href);
    await page.getByText('That is all.').waitFor();
    const shown = page.getByRole('log').locator('pre');
    await expectSoon(
      async () => (await shown.allInnerTexts()).map((text) => text.trim()),
      BYTES.map(([, text]) => text),
    );
  });
});
