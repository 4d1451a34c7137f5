import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../../support/chromium';
import { violationsInSchemes } from '../../support/portal/axe';
import { type Furnished, startFurnished } from '../../support/portal/furnished';
import { routePaths } from '../../support/portal/screens';
import { Walker } from '../../support/portal/walker';
import { ROOT } from '../../support/root';

/** Folder of the pictures. It is not committed, and `npm run test:portal` creates it anew. */
const FOLDER = join(ROOT, 'dist', 'screenshots');
/**
 * Matches a violation that is accepted. In the list of completions, the focus stays in the editor, and arrow
 * keys move through the list (`aria-activedescendant`).
 */
const SCROLLED_BY_ARROWS = /: scrollable-region-focusable: #cm-ac-/;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1440, 360] as const;

/**
 * Takes screenshots of every screen, for people to look at. Also checks the accessibility of pages that the
 * test `accessibility` does not open.
 */
describeInBrowser('pictures', () => {
  let browser: Browser;
  let world: Furnished;
  let page: Page;
  let walker: Walker;

  beforeAll(async () => {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    world = await startFurnished();
    browser = await startChromium();
    ({ page } = await visit(browser, world.gateway, 'admin'));
    await page.getByRole('navigation').waitFor();
    walker = new Walker(page, world.gateway.api);
    await walker.settled();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** Takes a picture for each width and color scheme. Returns the names of the files. */
  const take = async (name: string): Promise<string[]> => {
    const files: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true, animations: 'disabled' });
        files.push(path);
      }
    }
    return files;
  };
  /**
   * Checks the accessibility of a page that the test `accessibility` does not open, and takes screenshots.
   */
  const takeSound = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await violationsInSchemes(page)).map((violation) => `${name} ${width}, ${violation}`));
    }
    expect(found.filter((violation) => !SCROLLED_BY_ARROWS.test(violation))).toEqual([]);
    return take(name);
  };
  const expectPictures = async (files: readonly string[]): Promise<void> => {
    expect(files).toHaveLength(WIDTHS.length * SCHEMES.length);
    for (const file of files) expect((await stat(file)).size).toBeGreaterThan(5_000);
  };
  const nameOf = (path: string): string =>
    path.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '') || 'home';

  it.each(routePaths().filter((path) => path !== '/signed-in'))('are taken of %s', async (path) => {
    await walker.go(world.addresses[path] ?? path);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await expectPictures(await take(nameOf(path)));
  });

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const editor = (): Locator => page.getByRole('textbox', { name: 'SQL', exact: true });

  it('are taken of a script that is typed, and of its rows', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await walker.go('/run?connection=orders');
    await editor().click();
    await walker.settled();
    await page.keyboard.type("-- the people\nSELECT name, 1 AS n, 'x' AS text FROM customers WHERE em");
    await page.getByRole('option', { name: /^email/ }).waitFor();
    await expectPictures(await takeSound('run-completion'));
    await page.keyboard.press('Escape');
    await editor().fill('SELECT * FROM customers');
    await button('Run').click();
    await page.getByText('2 rows, 3 columns').waitFor();
    await expectPictures(await takeSound('run-rows'));
  });

  it('are taken of a conflict, a question, the search, and a page that does not exist', async () => {
    const rule = world.addresses['/access-rules/$name'] ?? '';
    await walker.go(rule);
    await page.getByRole('textbox', { name: 'Description' }).fill('mine');
    const at = `/access-requests/rules/${rule.split('/').at(-1) ?? ''}`;
    const { body } = await world.gateway.call('admin', 'GET', at);
    const { warnings: _warnings, ...stored } = body;
    const put = await world.gateway.call('admin', 'PUT', at, { ...stored, description: 'theirs' });
    expect([put.status, put.text]).toEqual([200, expect.any(String)]);
    await button('Save').click();
    await page.getByText('Somebody else changed this meanwhile').waitFor();
    await expectPictures(await takeSound('conflict'));
    await button('Take theirs').click();
    await page.getByRole('button', { name: /^Delete: / }).click();
    await page.getByRole('dialog').waitFor();
    await expectPictures(await takeSound('question'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('dialog').getByRole('combobox').fill('orders');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await expectPictures(await takeSound('search'));
    await page.keyboard.press('Escape');
    await walker.go('/nothing-is-here');
    await expectPictures(await takeSound('missing'));
  });
});
