import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from '../../support/browser-sign-in';
import { describeDataPath } from '../../support/describe';
import { press, reachConsent } from '../../support/mcp-sign-in';
import { CommandLine, Run } from './command-line';

/** A short form of what npm run test:clients tries. */
describeDataPath('the command line', ({ path }) => {
  const line = new CommandLine(() => path.gateway);

  afterAll(() => line.remove());

  // promises: CLI-1, CLI-2, CLI-4
  it('signs in by the browser, keeps tokens for their owner alone, renews them, and signs out', async () => {
    const login = new Run(['--url', line.url, 'login', '--no-browser'], { GATEWAY_CONFIG_DIR: line.folder });
    const [address] = await login.says(/http:\S+\/oauth\/authorize\S+/);
    const browser = new Browser();
    const page = await reachConsent(browser, new URL(address), 'alice');
    const back = new URL((await press(browser, page, 'allow')).headers.get('location') ?? '');
    const forged = new URL(back);
    forged.searchParams.set('state', 'of somebody else');
    expect((await fetch(forged)).status).toBe(400);
    expect((await fetch(back)).status).toBe(200);
    expect(await login.ended).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('Signed in as alice@example.com'),
    });
    const [name = ''] = readdirSync(line.folder).filter((file) => file.startsWith('sign-in-'));
    const file = join(line.folder, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    for (const secret of [kept.access, kept.refresh]) expect(login.err).not.toContain(secret);

    // Expired, for two commands at once: renewed once.
    writeFileSync(file, JSON.stringify({ ...kept, expiresAt: 0 }));
    const both = await Promise.all([
      line.run(['whoami'], line.signedIn),
      line.run(['whoami'], line.signedIn),
    ]);
    expect(both.map(({ code, out }) => [code, out.includes('alice@example.com')])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(JSON.parse(readFileSync(file, 'utf8')).access).not.toBe(kept.access);
    expect(await line.run(['logout'], line.signedIn)).toMatchObject({ code: 0 });
    expect(await line.run(['whoami'], line.signedIn)).toMatchObject({
      code: 77,
      err: expect.stringContaining('gateway login'),
    });
  });

  it('runs a script, and ends with its exit code', async () => {
    const found = await line.run(['exec', 'orders', '-c', 'SELECT 1 AS one']);
    expect(found).toEqual({ code: 0, out: 'one\n1\n', err: '' });
    expect((await line.run(['exec', 'nowhere', '-c', 'SELECT 1'])).code).toBe(66);
  });
});
