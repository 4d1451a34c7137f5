import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startChromium, visit } from '../../support/chromium';
import { createRule, denyWords } from '../../support/guardrails';
import { expectSoon } from '../../support/portal/expect-soon';
import { type Furnished, startFurnished } from '../../support/portal/furnished';
import { routePaths } from '../../support/portal/screens';
import { Walker } from '../../support/portal/walker';

/** Long names: 255 emoji of one code point, and 127 emoji of two code points (a person and a skin tone). */
const MANY = '🚀'.repeat(255);
const PAIRED = '👩🏽'.repeat(127);
/**
 * A shorter name, because names of guardrails and API keys have at most 128 characters. `LETTERS` is a name
 * for connections and access rules, which must not contain emoji.
 */
const FEWER = '👩🏽'.repeat(64);
const LETTERS = 'x'.repeat(254);
const WIDTHS = [1440, 360] as const;
/** All screens except `/signed-in`, which closes its window. */
const screens = routePaths().filter((path) => path !== '/signed-in');

/**
 * Script that finds cut emoji (half of a surrogate pair, a person without skin tone, a skin tone alone) and
 * content that is too wide.
 */
const INSPECT = `(() => {
  const faults = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let emoji = 0;
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const text = node.nodeValue;
    if (/[🚀👩]/u.test(text)) emoji++;
    if (!text.isWellFormed() || /\\uFFFD|U\\+D8/.test(text) || /👩(?!🏽)|(?<!👩)🏽/u.test(text)) faults.push('cut: ' + text.slice(-20));
  }
  if (!document.title.isWellFormed()) faults.push('cut: the title');
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) faults.push('the page is ' + over + ' pixels wider than the screen');
  for (const one of document.querySelectorAll('main button, main a, main input')) {
    const { left, right, width } = one.getBoundingClientRect();
    if (width > 0 && one.closest('table, [role=table], [role=log], pre') === null && (left < 0 || right > innerWidth + 1))
      faults.push('beyond the edge: ' + one.tagName + ' ' + one.textContent.slice(0, 20));
  }
  return { faults, emoji };
})()`;
const LISTS = 'main input[aria-haspopup=listbox]';

describeInBrowser('names of 255 emoji', () => {
  let browser: Browser;
  let world: Furnished;
  let page: Page;
  let walker: Walker;
  const addresses: Record<string, string> = {};

  const make = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<void> => {
    const { status, text } = await world.gateway.call('admin', method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  };

  beforeAll(async () => {
    [browser, world] = await Promise.all([startChromium(), startFurnished()]);
    const { gateway } = world;
    const visitor = await visit(browser, gateway, 'admin');
    ({ page } = visitor);
    await page.getByRole('navigation').waitFor();
    walker = new Walker(page, gateway.api);
    for (const person of ['admin', 'alice', 'bob']) await make('PATCH', `/users/${person}`, { name: MANY });
    for (const name of [MANY, PAIRED]) await make('POST', '/groups', { name, description: MANY });
    await make('PATCH', '/users/alice', { groups: ['dev', PAIRED] });
    await make('POST', '/attributes', { name: PAIRED });
    await make('POST', '/api-keys', { name: FEWER, groups: [MANY] });
    const { body: orders } = await gateway.call('admin', 'GET', '/connections/orders');
    await make('POST', '/connections', {
      name: LETTERS,
      type: 'database',
      subtype: 'postgres',
      secret: { HOST: 'nowhere.example.com', PORT: '5432', USER: 'one', PASS: 'two', DB: 'three' },
      access_groups: [MANY, PAIRED],
      // The length of a tag is counted in UTF-16 code units, and each of these emoji has two.
      connection_tags: { ['🚀'.repeat(32)]: '🚀'.repeat(128) },
    });
    const rule = denyWords(['forbidden_word']).rules[0];
    const message = PAIRED;
    await createRule(gateway, {
      name: FEWER,
      description: MANY,
      input: { rules: [{ ...rule, name: FEWER, message }] },
      connection_ids: [orders.id],
    });
    await make('POST', '/access-requests/rules', {
      name: LETTERS,
      access_type: 'command',
      reviewers_groups: [MANY, PAIRED],
      min_approvals: 1,
      connection_names: [LETTERS],
    });
    const run = { connection: 'orders', script: `SELECT 'forbidden_word', '${MANY}'`, reason: PAIRED };
    const { body: blocked } = await gateway.call('alice', 'POST', '/sessions', run);
    await make('POST', '/connections', {
      name: 'asked',
      type: 'database',
      subtype: 'postgres',
      secret: { HOST: 'nowhere.example.com', PORT: '5432', USER: 'one', PASS: 'two', DB: 'three' },
    });
    await make('POST', '/access-requests/rules', {
      name: 'asked',
      access_type: 'command',
      reviewers_groups: [MANY, 'dba'],
      min_approvals: 1,
      connection_names: ['asked'],
    });
    const waiting = { connection: 'asked', script: `SELECT '${PAIRED}'`, reason: MANY };
    const { body: asked } = await gateway.call('alice', 'POST', '/sessions', waiting);
    const rules = (await gateway.call('admin', 'GET', '/guardrails')).body.data as {
      id: string;
      name: string;
    }[];
    Object.assign(addresses, world.addresses, {
      '/sessions/$id': `/sessions/${blocked.session_id as string}`,
      '/reviews/$id': `/reviews/${asked.review_id as string}`,
      '/guardrails/$id': `/guardrails/${rules.find(({ name }) => name === FEWER)?.id ?? ''}`,
      '/access-rules/$name': `/access-rules/${LETTERS}`,
      '/admin-connections/$name': `/admin-connections/${LETTERS}`,
      '/connections/$name': `/connections/${LETTERS}`,
      '/why': '/why?user=alice&connection=orders&verb=exec',
    });
    await page.reload();
    await page.getByRole('navigation').waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  // promises: PORTAL-11
  it.each(WIDTHS)('break no screen, and are cut on none, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const faults: string[] = [];
    let emoji = 0;
    const look = async (where: string): Promise<void> => {
      const found = await page.evaluate<{ faults: string[]; emoji: number }>(INSPECT);
      emoji += found.emoji;
      faults.push(...found.faults.map((fault) => `${where}: ${fault}`));
    };
    for (const path of screens) {
      await walker.go(addresses[path] ?? path);
      await look(path);
      for (let at = 0; at < (await page.locator(LISTS).count()); at++) {
        await page.evaluate(`document.querySelectorAll(${JSON.stringify(LISTS)})[${at}].click()`);
        await walker.settled();
        await look(`${path}, list ${at + 1}`);
        await page.keyboard.press('Escape');
      }
    }
    expect(faults).toEqual([]);
    process.stdout.write(`${width} pixels: ${emoji} texts of emoji on ${screens.length} screens\n`);
    expect(emoji).toBeGreaterThan(50);
  });

  // promises: PORTAL-11
  it('can be typed where they are names, and are refused in words where they are none', async () => {
    const name = '🦊'.repeat(255);
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await walker.go('/groups');
    const form = page.getByRole('form', { name: 'Create a group' });
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await form.getByRole('button', { name: 'Create a group' }).click();
    await page.getByText(`The group ${name} was created.`).waitFor();
    for (const [path, words] of [
      ['/new/guardrail', /name must be shorter than or equal to 128 characters/],
      ['/new/access-rule', /name must/],
      ['/new/connection', /name must/],
    ] as const) {
      await page.goto(new URL(path, world.gateway.api).href);
      await field.fill(name);
      await page.getByRole('main').getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await expectSoon(() => field.inputValue(), name);
      page.once('dialog', (dialog) => void dialog.accept());
    }
  });
});
