import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { runningOn, startDataPath } from '../../support/data-path';
import { eventually } from '../../support/eventually';
import { createRule, denyWords } from '../../support/guardrails';
import { expectSoon } from '../../support/portal/expect-soon';
import { describeJourneys } from '../../support/portal/journeys';
import { RunScreen } from '../../support/portal/run-screen';
import { connectReviewed } from '../../support/waiting-scripts';

/** Returns the computed border color of a badge in the named color. */
const colorOf = (page: Page, color: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.borderTop = '1px solid var(--mantine-color-${color}-outline)';
    const { borderTopColor } = getComputedStyle(probe);
    probe.remove();
    return borderTopColor;
  })()`);

const AT_ORDERS = '/run?connection=orders';

describeJourneys('SQL at the portal', startDataPath, ({ path, journey }) => {
  /** Counts the sessions of a connection, without sessions that list tables for the editor. */
  const countScripts = async (connection = 'orders'): Promise<number> => {
    const [row] = await path.gateway.database.query<{ count: number }>(
      `SELECT count(*)::int FROM sessions WHERE connection_name = $1 AND metadata->>'operation' IS DISTINCT FROM 'listTables'`,
      [connection],
    );
    return row?.count ?? -1;
  };
  beforeAll(async () => {
    const entry = { ...denyWords(['drop table']).rules[0], message: 'Ask the owners first.' };
    await createRule(path.gateway, {
      name: 'careful',
      input: { rules: [entry] },
      connection_ids: [path.connectionId],
    });
  });

  journey('is completed with the tables and columns of the database', async ({ open, unique }) => {
    const name = unique('completed');
    await path.connect(name);
    const alice = await open('alice', `/run?connection=${name}`);
    const screen = new RunScreen(alice);
    const listed = alice.page.waitForResponse((answer) => answer.url().endsWith(`/${name}/tables`));
    await alice.fill(screen.script, 'SELECT * FROM ');
    expect((await listed).status()).toBe(200);
    await screen.complete('cust', 'customers');
    await screen.complete(' WHERE customers.na', 'name text');
    await screen.complete(" = 'Grace' OR em", 'email customers · text');
    await alice.page.keyboard.type(' IS NULL');
    await alice.press(screen.button('Run'));
    await alice.sees('2 rows, 3 columns');
    // The page must load the tables only once, in a session with this operation in its metadata.
    const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`);
    expect(body.data.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      {},
      { operation: 'listTables' },
    ]);
  });

  journey(
    'is not completed where the connection does not tell, and nothing is said',
    async ({ open, unique }) => {
      const closed = unique('closed');
      await path.connect(closed, { access_schema: 'disabled' });
      const reviewed = unique('reviewed');
      await connectReviewed(path, reviewed);
      for (const [name, answers] of [
        [closed, []],
        [reviewed, [403]],
      ] as const) {
        const alice = await open('alice', `/run?connection=${name}`);
        const screen = new RunScreen(alice);
        const heard: number[] = [];
        alice.page.on('response', (answer) => {
          if (answer.url().endsWith('/tables')) heard.push(answer.status());
        });
        await alice.fill(screen.script, 'SELECT * FROM customers ');
        await eventually('the answer', async () => heard.length === answers.length);
        await screen.complete('whe', 'WHERE');
        await alice.page.keyboard.type(' customers.em');
        await alice.fill(screen.reason, 'none');
        await screen.script
          .getByText('SELECT * FROM customers WHERE customers.em', { exact: true })
          .waitFor();
        expect(heard).toEqual(answers);
        expect(await alice.page.getByRole('alert').count()).toBe(0);
      }
      expect((await path.gateway.call('admin', 'GET', `/reviews`)).body.pages.total).toBe(0);
    },
  );

  journey('is checked before it is sent, and runs nowhere', async ({ open }) => {
    const admin = await open('admin', AT_ORDERS);
    const before = await countScripts();
    const screen = new RunScreen(admin);
    await screen.check('DROP TABLE customers');
    await admin.sees('The guardrails would block it');
    await admin.sees('careful, entry 1: Ask the owners first.');
    await screen.check('SELECT 1');
    await admin.sees('The guardrails let it pass');
    expect(await countScripts()).toBe(before);
  });

  journey('is blocked by a guardrail, in the words of its author', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run('DROP TABLE customers');
    await alice.sees('Blocked');
    await alice.sees('Ask the owners first.');
    await alice.press(screen.link('The session'));
    await alice.sees(/Stopped by a guardrail/);
    const color = (): Promise<unknown> =>
      alice.page
        .getByRole('main')
        .locator('.mantine-Badge-root')
        .filter({ hasText: /^blocked$/i })
        .first()
        .evaluate('(badge) => getComputedStyle(badge).borderTopColor');
    const onPage = await color();
    await alice.go('/sessions');
    await alice.sees('blocked');
    // The badge of the outcome has the same color on both pages, and not blue, which means a running session.
    expect(await color()).toBe(onPage);
    expect(onPage).not.toBe(await colorOf(alice.page, 'blue'));
    expect(await path.target.query('SELECT count(*)::int AS n FROM customers')).toEqual([{ n: 2 }]);
  });

  journey('shows its rows as a grid, and what is NULL', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run('SELECT name, email FROM customers ORDER BY id');
    await alice.sees('2 rows, 2 columns');
    await expectSoon(() => screen.result.getByRole('columnheader').allInnerTexts(), ['name', 'email']);
    await expectSoon(
      () => screen.result.getByRole('cell').allInnerTexts(),
      ['Grace', 'grace@example.com', 'Edsger', 'NULL'],
    );
  });

  journey('gives many rows, of which the last can be reached', async ({ open, way }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run('SELECT n FROM generate_series(1, 100000) n');
    await alice.sees('100,000 rows, 1 column');
    if (way === 'mouse') {
      await screen.result.hover();
      await alice.page.mouse.wheel(0, 10_000_000);
    } else {
      // From the last button of the result, the Tab key must lead to the grid.
      await alice.press(screen.button('Copy as CSV'));
      await alice.page.keyboard.press('Tab');
      await alice.page.keyboard.press('Tab');
      await alice.page.keyboard.press('End');
    }
    await screen.result.getByRole('cell', { name: '100000', exact: true }).waitFor();
    expect(await screen.result.getByRole('row').count()).toBeLessThan(200);
  });

  journey('is copied as CSV', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS, { permissions: ['clipboard-read', 'clipboard-write'] });
    const screen = new RunScreen(alice);
    await screen.run(`SELECT 'a "b", c' AS text, '=1+1' AS formula, NULL AS nothing`);
    await alice.sees('1 row, 3 columns');
    await alice.press(screen.button('Copy as CSV'));
    const copied = await eventually('the copy', () =>
      alice.page.evaluate<string>('navigator.clipboard.readText()'),
    );
    expect(copied).toBe(`text,formula,nothing\r\n"a ""b"", c",'=1+1,`);
    await screen.button('Copied').waitFor();
  });

  journey('is not said to be copied where the browser refuses it', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS, { isAlone: true });
    // Simulates a browser in which the user or the organization has forbidden copying.
    await alice.page.evaluate(
      `navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
    );
    const screen = new RunScreen(alice);
    await screen.run('SELECT 1 AS one');
    await alice.press(screen.button('Copy as CSV'));
    await screen.button('The browser refused').waitFor();
  });

  journey('is downloaded as CSV', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run('SELECT id, name FROM customers ORDER BY id');
    await alice.sees('2 rows, 2 columns');
    const download = alice.page.waitForEvent('download');
    await alice.press(screen.button('Download CSV'));
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toBe('id,name\r\n1,Grace\r\n2,Edsger');
  });

  journey('of which a page gets the first part says so in its copies, too', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run("SELECT n, repeat('x', 1000) AS wide FROM generate_series(1, 12000) n");
    await alice.sees(/^The first [\d,]+ rows, 2 columns$/);
    await screen.button('Copy this part as CSV').waitFor();
    const download = alice.page.waitForEvent('download');
    await alice.press(screen.button('Download this part as CSV'));
    const file = await download;
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    const rows = lines.length - 2;
    expect(rows).toBeGreaterThan(100);
    expect(rows).toBeLessThan(12_000);
    expect(file.suggestedFilename()).toMatch(new RegExp(`-first-${rows}-rows\\.csv$`));
    expect(lines.at(-2)).toMatch(new RegExp(`^${rows},x{1000}$`));
    expect(lines.at(-1)).toBe(
      `"Cut: these are the first ${rows.toLocaleString('en-US')} rows. The session at the gateway has all of the result."`,
    );
  });

  journey('is cancelled while it runs', async ({ open, unique }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    const mark = unique('cancelled');
    await screen.run(`SELECT pg_sleep(600) AS "${mark}"`);
    const isRunning = async () => (await runningOn(path.target)).some((query) => query.includes(mark));
    await eventually('it runs', isRunning);
    await alice.press(screen.button('Cancel the script'));
    await alice.sees('Failed');
    await eventually('it runs no more', async () => !(await isRunning()));
    await screen.button('Cancel the script').waitFor({ state: 'detached' });
  });

  journey('that fails shows what the database said', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    await new RunScreen(alice).run('SELECT * FROM nowhere');
    await alice.sees('Failed');
    await alice.sees(/relation "nowhere" does not exist/);
  });

  journey('of several statements is a table for each, with what came between', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run(
      `SELECT 1 AS one; CREATE TEMP TABLE kept (x int); DO $$ BEGIN RAISE WARNING 'careful'; END $$;
       SELECT 2 AS two, 3 AS three; SELECT 4 AS none WHERE false; COPY (SELECT 5) TO STDOUT`,
    );
    await alice.sees('Done');
    await alice.sees('Result 1 of 3: 1 row, 1 column');
    await alice.sees('Result 2 of 3: 1 row, 2 columns');
    await alice.sees('Result 3 of 3: 0 rows, 1 column');
    await alice.sees(/CREATE TABLE\s+WARNING: careful\s+DO/);
    const second = alice.page.getByRole('table', { name: 'Result 2 of 3', exact: true });
    await expectSoon(() => second.getByRole('columnheader').allInnerTexts(), ['two', 'three']);
    await expectSoon(() => second.getByRole('cell').allInnerTexts(), ['2', '3']);
    const download = alice.page.waitForEvent('download');
    await alice.press(screen.button('Download CSV').nth(1));
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/-result-2\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toBe('two,three\r\n2,3');
  });

  journey('of many statements is shown part by part', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run(Array.from({ length: 25 }, (_, at) => `SELECT ${at} AS n`).join(';'));
    await alice.sees('Result 20 of 25: 1 row, 1 column');
    await alice.press(screen.button('Show more (5 are not shown)'));
    await alice.sees('Result 25 of 25: 1 row, 1 column');
  });

  journey('that fails keeps the rows that came before', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await screen.run('SELECT 1 AS one; SELECT 1 / (3 - n) AS parts FROM generate_series(1, 5) n');
    await alice.sees('Failed');
    await alice.sees('Result 1 of 2: 1 row, 1 column');
    await alice.sees('Result 2 of 2: The first 2 rows, 1 column');
    await alice.sees(/division by zero/);
  });

  journey('is kept when the page is loaded again', async ({ open }) => {
    const alice = await open('alice', AT_ORDERS);
    const screen = new RunScreen(alice);
    await alice.fill(screen.script, 'SELECT 1 AS kept');
    await alice.page.reload();
    await screen.script.getByText('SELECT 1 AS kept').waitFor();
  });

  journey('goes to the connection that is picked', async ({ open, unique }) => {
    const name = unique('picked');
    await path.connect(name);
    const alice = await open('alice', '/run');
    await alice.choose(alice.page.getByRole('combobox', { name: 'Connection' }), name);
    await new RunScreen(alice).run('SELECT 8 AS eight');
    await alice.sees('1 row, 1 column');
    expect(await countScripts(name)).toBe(1);
  });

  journey('for a connection that does not exist is refused in words', async ({ open }) => {
    const alice = await open('alice', '/run?connection=nowhere');
    await new RunScreen(alice).run('SELECT 1');
    await alice.page
      .getByRole('alert')
      .getByText(/connection/i)
      .waitFor();
  });
});
