import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { describeInBrowser, reportFaults, startChromium } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { freePort } from '../../support/free-port';
import { accountOf } from '../../support/portal/journeys';

/** Requests whose answers the proxy loses, and the number of answers to lose. */
interface Loss {
  readonly path: RegExp;
  readonly how: 'refused' | 'broken off';
  times: number;
}

/** A proxy that loses answers simulates a gateway that dies while it answers, and its replacement. */
describeInBrowser('a page whose gateway is lost while it answers', () => {
  let browser: Browser;
  let path: DataPath;
  let server: Server;
  let signedIn: BrowserContextOptions = {};
  let origin: string;
  let losses: Loss[] = [];
  const faults: string[] = [];

  const pass = (from: IncomingMessage, to: ServerResponse): void => {
    const { method, url = '/', headers } = from;
    const loss = losses.find((one) => one.path.test(url) && one.times > 0);
    if (loss !== undefined) loss.times--;
    if (loss?.how === 'refused') return void from.socket.destroy();
    const asked = request(new URL(url, path.gateway.api), { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      if (loss === undefined) return void answer.pipe(to);
      answer.resume();
      to.write('{"', () => to.destroy());
    });
    asked.on('error', () => to.destroy());
    from.pipe(asked);
  };

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = createServer(pass).listen(port, '127.0.0.1');
    [browser, path] = await Promise.all([
      startChromium(),
      startDataPath({ API_URL: origin }, { redirectUris: [`${origin}/api/callback`] }),
    ]);
    const page = await browser.newPage();
    await page.goto(origin);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await accountOf(page, 'admin').click();
    await page.getByRole('navigation').waitFor();
    signedIn = { storageState: await page.context().storageState() };
  });
  afterEach(() => {
    losses = [];
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await path.close();
  });

  it.each([
    ['answers that break off', { path: /\/userinfo/, how: 'broken off', times: 2 }],
    ['answers of lists that break off', { path: /\/sessions\?/, how: 'broken off', times: 2 }],
    ['code of a screen that does not come', { path: /\/assets\/session-list-/, how: 'refused', times: 1 }],
    [
      'code that does not come, while no gateway is there',
      { path: /\/assets\/session-list-|favicon/, how: 'refused', times: 6 },
    ],
  ] as const)('asks again, and nobody has to: %s', async (_what, loss) => {
    let loads = 0;
    const count = (): void => void loads++;
    losses = [{ ...loss }];
    // Uses a new browser context, which has no file of the portal in its cache.
    const context = await browser.newContext(signedIn);
    const page = await context.newPage();
    reportFaults(page, faults);
    page.on('load', count);
    await page.goto(`${origin}/sessions`);
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.getByText('0 sessions').waitFor();
    expect(losses[0]?.times).toBe(0);
    expect([loads, await page.getByRole('alert').count(), faults]).toEqual([1, 0, []]);
    await context.close();
  });
});
