import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Visitor, describeInBrowser, startChromium, visit } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';

const MEBIBYTE = 1024 * 1024;
const LARGE = 64 * MEBIBYTE;
/** Shapes of a large statement: one line, or many lines. */
const SHAPES = {
  'one line': { begin: "SELECT '", unit: 'x', end: "'", seen: 'xxxxxxxx' },
  'many lines': {
    begin: 'SELECT 1',
    unit: `\n-- ${'comment '.repeat(12)}`,
    end: '',
    seen: 'comment comment',
  },
} as const;

const EDITOR = `document.querySelector('[data-editor] [role=textbox]')`;
const GRID = `document.querySelector('[role=table][aria-label=Result]')`;
const LOG = `document.querySelector('[role=log]')`;

/** Script that runs in each page before the page's own scripts, and collects tasks of 50 ms and more. */
const WATCH = `globalThis.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask', buffered: true });`;

/** Matches the text that remains of a cut emoji. */
const BROKEN = /U\+|\uFFFD/;
const FAMILY = '👨\u200D👩\u200D👧\u200D👦';

describeInBrowser('large inputs at the portal', () => {
  let browser: Browser;
  let path: DataPath;
  let visitor: Visitor;
  let page: Page;
  let editor: Locator;
  let folder: string;

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const result = (): Locator => page.getByRole('table', { name: 'Result' });
  const alert = (text: string | RegExp): Promise<void> =>
    page.getByRole('alert').getByText(text).first().waitFor();
  const select = async (): Promise<void> => {
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+A');
  };
  const run = async (script: string): Promise<void> => {
    await select();
    await page.keyboard.insertText(script);
    await button('Run').click();
  };
  /**
   * Pastes or copies without the browser's clipboard, which is too small. Returns the length and the end of
   * the text.
   */
  const clipboard = (kind: 'paste' | 'copy', text = "''"): Promise<[number, string]> =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      if ('${kind}' === 'paste') clipboardData.setData('text/plain', ${text});
      ${EDITOR}.dispatchEvent(new ClipboardEvent('${kind}', { clipboardData, bubbles: true, cancelable: true }));
      const copied = clipboardData.getData('text/plain');
      return [copied.length, copied.slice(-8)];
    })()`);
  /** Prints the longest task of the page since the last call, for people who read the test output. */
  const report = async (what: string): Promise<void> => {
    const longest = await page.evaluate<number>('Math.max(0, ...longTasks.splice(0))');
    process.stdout.write(`${what}: longest task ${longest.toFixed(0)} ms\n`);
  };

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startDataPath()]);
    folder = await mkdtemp(join(tmpdir(), 'large-inputs-'));
    visitor = await visit(browser, path.gateway, 'admin');
    ({ page } = visitor);
    await page.context().addInitScript(WATCH);
    // Accepts the dialog about unsaved text, because a test that fails leaves its text on the page.
    page.on('dialog', (dialog) => {
      if (dialog.type() === 'beforeunload') void dialog.accept();
    });
    editor = page.getByRole('textbox', { name: 'SQL', exact: true });
  });
  beforeEach(async () => {
    await page.goto(new URL('/run?connection=orders', path.gateway.api).href);
    await editor.waitFor();
  });
  afterEach(() => {
    expect(visitor.faults).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
    await rm(folder, { recursive: true });
  });

  // promises: PORTAL-11
  it.each(Object.entries(SHAPES))(
    'say that a statement of 64 MB in %s is too long, and keep it',
    async (shape, { begin, unit, end, seen }) => {
      const count = Math.floor((LARGE - begin.length - end.length) / unit.length);
      const length = begin.length + count * unit.length + end.length;
      const text = `${JSON.stringify(begin)} + ${JSON.stringify(unit)}.repeat(${count}) + ${JSON.stringify(end)}`;
      await select();
      await clipboard('paste', text);
      await editor.getByText(seen).first().waitFor();
      await report(`64 MB in ${shape}, pasted`);
      const sent: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      for (const name of ['Check', 'Run']) {
        await button(name).click();
        await alert(/This is a text of 64\.0 MiB, and the gateway takes 1 MiB/);
      }
      expect(sent).toEqual([]);
      // The text can be changed, and copied to another place.
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' --');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await select();
      const taken = await clipboard('copy');
      expect(taken).toEqual([length + 3, `${unit.repeat(8)}${end} --`.slice(-8)]);
      await report(`64 MB in ${shape}, changed and copied`);
      // Leaving the page would lose the text, so the browser asks.
      const asked = page.waitForEvent('dialog');
      const left = page.getByRole('link', { name: 'Sessions', exact: true }).click();
      const dialog = await asked;
      await dialog.dismiss();
      await left;
      await editor.getByText(seen).first().waitFor();
      await run('SELECT 1 AS one');
      await page.getByText('1 row, 1 column').waitFor();
    },
  );

  // promises: PORTAL-11
  it('say that a file of 64 MB is too large, from a dialog or dropped, and keep what was there', async () => {
    const large = join(folder, 'large.sql');
    await writeFile(large, `SELECT '${'x'.repeat(LARGE - 9)}'`);
    const open = async (...file: Parameters<Page['setInputFiles']>[1][]): Promise<void> => {
      const chosen = page.waitForEvent('filechooser');
      await button('Open a file').click();
      await (await chosen).setFiles(file[0] ?? []);
    };
    await run('SELECT 7 AS seven');
    await open(large);
    await alert(/This is a text of 64\.0 MiB, and the gateway takes 1 MiB/);
    await editor.getByText('SELECT 7 AS seven').waitFor();
    await open({ name: 'latin.sql', mimeType: 'text/plain', buffer: Buffer.from([0x2d, 0x2d, 0xe9]) });
    await alert('latin.sql is not text in UTF-8, so it was not opened: byte 2 is part of no character.');
    await editor.getByText('SELECT 7 AS seven').waitFor();
    await open({ name: 'good.sql', mimeType: 'text/plain', buffer: Buffer.from('SELECT 8 AS eight') });
    await editor.getByText('SELECT 8 AS eight').waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'.repeat(${LARGE})], 'dropped.sql'));
      ${EDITOR}.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await alert(/This is a text of 64\.0 MiB/);
    await report('files of 64 MB');
    await button('Run').click();
    await result().getByRole('cell', { name: '8', exact: true }).waitFor();
  });

  // promises: PORTAL-11
  it('show rows of 1 600 columns', async () => {
    const columns = Array.from({ length: 1_600 }, (_, at) => `n * ${at} AS c${at}`);
    await run(`SELECT ${columns.join(', ')} FROM generate_series(1, 60) AS n`);
    await page.getByText('60 rows, 1600 columns').waitFor();
    expect(await result().getByRole('columnheader').count()).toBeLessThan(40);
    await page.evaluate(`${GRID}.scrollTo(${GRID}.scrollWidth, ${GRID}.scrollHeight)`);
    await result().getByRole('columnheader', { name: 'c1599', exact: true }).waitFor();
    await result()
      .getByRole('cell', { name: String(60 * 1_599), exact: true })
      .waitFor();
    await report('rows of 1 600 columns');
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBe(0);
    await page.getByRole('status').getByRole('link', { name: 'The session', exact: true }).click();
    await page.getByRole('log').getByText('c1599').first().waitFor();
    await report('their session');
  });

  // promises: PORTAL-11
  it('show the beginning of a cell of 16 MB, and all of it in its session, portion by portion', async () => {
    await run(`SELECT repeat('0123456789abcde,', ${MEBIBYTE}) AS large`);
    await page.getByText('larger than 16 MiB and cannot be recorded').waitFor();
    await run("SELECT repeat('0123456789abcde,', 1000000) AS large");
    await page.getByText('This is the first part of the output').waitFor();
    const shown = page.locator('main pre');
    await shown.waitFor();
    expect(await page.evaluate(`document.querySelector('main pre').textContent.length`)).toBeGreaterThan(
      MEBIBYTE - 64,
    );
    await report('a cell of 16 MB');
    await page.getByRole('status').getByRole('link', { name: 'The session', exact: true }).click();
    const log = page.getByRole('log');
    await log.getByText('0123456789abcde').first().waitFor();
    await page.getByText('More follows.').waitFor();
    for (let portions = 1; portions < 3; portions++) {
      const told = await page.getByText('More follows.').innerText();
      await button('Show the next part').click();
      // The message may disappear for less time than Playwright's polling interval, so the test waits until
      // the count in the message changes.
      await page
        .getByText('More follows.')
        .and(page.locator('[role=status]'))
        .filter({ hasNotText: told })
        .waitFor();
    }
    await button('Read to the end').click();
    await page.getByText('That is all.').waitFor();
    await report('its session');
  });

  // promises: PORTAL-11
  it.each([
    ['one line', `repeat('${FAMILY}', 60000)`],
    ['long lines', `repeat(repeat('${FAMILY}', 9000) || chr(10), 8)`],
  ])('cut no emoji, in %s', async (_shape, expression) => {
    await run(`SELECT repeat('${FAMILY}', 1000) AS cell`);
    const cell = result().getByRole('cell');
    await cell.waitFor();
    expect(await cell.innerText()).toMatch(new RegExp(`^(${FAMILY})+…$`));
    await run(`SELECT ${expression} AS emoji`);
    await page.getByText('This is the first part of the output').waitFor();
    expect(BROKEN.test(await page.locator('main pre').innerText())).toBe(false);
  });

  // promises: PORTAL-11
  it('cut no emoji of a long input, on the page of its session', async () => {
    const { body } = await path.run(`SELECT length('${FAMILY.repeat(20_000)}')`);
    await page.goto(new URL(`/sessions/${body.session_id as string}`, path.gateway.api).href);
    await page.getByText('That is all.').waitFor();
    const log = page.getByRole('log');
    const height = await page.evaluate<number>(`${LOG}.scrollHeight`);
    let isBroken = false;
    for (let top = 0; top <= height; top += 400) {
      await page.evaluate(`${LOG}.scrollTo(0, ${top})`);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      isBroken ||= BROKEN.test(await log.innerText());
    }
    expect(isBroken).toBe(false);
  });
});
