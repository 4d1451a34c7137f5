// npm run picture -- portal: makes the screenshots of docs/portal.md (docs/pictures) in Chromium, from the
// demo of `npm start`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endAll, onEnd } from '../bench/kit/ends.mjs';
import { answers, freePort } from '../bench/kit/ports.mjs';
import { startBrowser } from '../bench/portal/browser.mjs';

const root = join(import.meta.dirname, '..');
/** Maximum number of attempts to reach the demo, which creates its database first. */
const STARTED_WITHIN = 2_000;
const FOLDER = join(root, 'docs', 'pictures');
const VIEW = { viewport: { width: 1120, height: 700 }, reducedMotion: 'reduce', timezoneId: 'UTC' };

/** Starts the demo with an empty database of its own. */
async function startDemo() {
  const data = mkdtempSync(join(tmpdir(), 'gateway-pictures-'));
  onEnd(() => rmSync(data, { recursive: true, force: true, maxRetries: 5 }));
  const port = await freePort();
  const { PATH, HOME } = process.env;
  const ports = { PORT: String(port), DEV_IDP_PORT: '0', POSTGRES_PROXY_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [root], {
    env: { PATH, HOME, ...ports, DATA_DIR: data },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill();
    await ended;
  });
  await answers(port, () => child.exitCode === null, STARTED_WITHIN);
  return `http://127.0.0.1:${port}`;
}

/** Returns a function that signs a person of the demo in at the portal and opens a page. */
function visitors(browser, origin) {
  return async (person, path) => {
    const context = await browser.newContext(VIEW);
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator(`button[value="${person}"]`).click();
    await page.getByRole('navigation').waitFor();
    return page;
  };
}

const button = (page, name) => page.getByRole('main').getByRole('button', { name, exact: true });
const take = (page, name) => page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });

async function run(page, script, reason) {
  await page.getByRole('textbox', { name: 'SQL', exact: true }).fill(script);
  if (reason !== undefined) await page.getByRole('textbox', { name: 'Reason', exact: true }).fill(reason);
  await button(page, 'Run').click();
}

async function pictures() {
  const origin = await startDemo();
  const visit = visitors(await startBrowser(), origin);
  const alice = await visit('alice', '/run?connection=demo');
  await run(alice, 'SELECT * FROM customers');
  await alice.getByText('3 rows, 3 columns').waitFor();
  await take(alice, 'run');

  await run(alice, "BEGIN;\nUPDATE customers SET name = 'x' WHERE id = 1;\nDROP TABLE customers;");
  await alice.getByRole('status').getByText('Blocked', { exact: true }).waitFor();
  const auditor = await visit('auditor', '/sessions?user=alice');
  await auditor.getByRole('row').filter({ hasText: 'blocked' }).first().getByRole('link').click();
  await auditor.getByText('That is all.').waitFor();
  await take(auditor, 'session');

  const admin = await visit('admin', '/guardrails');
  await admin.getByRole('main').getByRole('link', { name: 'demo-keep-tables' }).click();
  await admin.getByRole('textbox', { name: 'Text to try' }).fill('drop table customers');
  await button(admin, 'Try').click();
  await admin.getByText('The text that was tried').waitFor();
  // The page is enlarged, because admins have a longer navigation.
  await admin.setViewportSize({ width: 1120, height: 1000 });
  await admin
    .getByRole('heading', { name: 'Dry run' })
    .evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
  await take(admin, 'guardrail');

  await admin.evaluate(`fetch('/api/access-requests/rules', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Gateway-Portal': '1' },
    body: JSON.stringify({ name: 'demo-reviews', access_type: 'command', connection_names: ['demo'], reviewers_groups: ['dba'], min_approvals: 1 }),
  }).then(({ status }) => { if (status !== 201) throw new Error('no rule: ' + status); })`);
  const script = "UPDATE customers SET email = 'grace@navy.example.com' WHERE id = 1";
  const bob = await visit('bob', '/reviews');
  await run(alice, script, 'Ticket OPS-2041: she has a new address');
  await bob.getByRole('main').getByRole('link', { name: 'SQL on demo' }).click();
  await button(bob, 'Approve').waitFor();
  await bob.getByRole('row').filter({ hasText: 'update' }).first().waitFor();
  await take(bob, 'review');
}

try {
  await pictures();
} finally {
  await endAll();
}
