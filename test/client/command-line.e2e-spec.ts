import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from '../support/browser-sign-in';
import { openDevicePage, submit } from '../support/command-line-sign-in';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { press, reachConsent } from '../support/mcp-sign-in';
import { ROOT } from '../support/root';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The built command line as a process. */
class Run {
  out = '';
  err = '';
  readonly ended: Promise<Ended>;
  readonly child: ChildProcess;

  constructor(args: readonly string[], env: Record<string, string>, input = '') {
    this.child = spawn(process.execPath, [join(ROOT, 'dist/cli/gateway.mjs'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', GATEWAY_KEYCHAIN: 'off', ...env },
    });
    this.child.stdout?.on('data', (data: Buffer) => (this.out += data.toString()));
    this.child.stderr?.on('data', (data: Buffer) => (this.err += data.toString()));
    this.child.stdin?.on('error', () => undefined).end(input);
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code) => resolve({ code, out: this.out, err: this.err })),
    );
  }

  /** Waits for this on standard error. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(`it says ${pattern}: ${this.err}`, async () => pattern.exec(this.err) ?? undefined);
  }
}

describeReviewPath('the command line', ({ path }) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));
  const url = () => new URL(path.gateway.api).origin;
  const signedIn = () => ({ GATEWAY_CONFIG_DIR: folder, GATEWAY_URL: url() });
  const asAdmin = async () => ({
    GATEWAY_CONFIG_DIR: join(folder, 'nobody'),
    GATEWAY_URL: url(),
    GATEWAY_TOKEN: await path.gateway.token('admin'),
  });
  const gateway = async (args: string[], env?: Record<string, string>, input?: string) =>
    new Run(args, env ?? (await asAdmin()), input).ended;

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // promises: CLI-1, CLI-2, CLI-4
  it('signs in by the browser, keeps tokens for their owner alone, renews them, and signs out', async () => {
    const login = new Run(['--url', url(), 'login', '--no-browser'], { GATEWAY_CONFIG_DIR: folder });
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
    const [name = ''] = readdirSync(folder).filter((file) => file.startsWith('sign-in-'));
    const file = join(folder, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    for (const secret of [kept.access, kept.refresh]) expect(login.err).not.toContain(secret);

    // Expired, for two commands at once: renewed once.
    writeFileSync(file, JSON.stringify({ ...kept, expiresAt: 0 }));
    const both = await Promise.all([gateway(['whoami'], signedIn()), gateway(['whoami'], signedIn())]);
    expect(both.map(({ code, out }) => [code, out.includes('alice@example.com')])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(JSON.parse(readFileSync(file, 'utf8')).access).not.toBe(kept.access);
    expect(await gateway(['logout'], signedIn())).toMatchObject({ code: 0 });
    expect(await gateway(['whoami'], signedIn())).toMatchObject({
      code: 77,
      err: expect.stringContaining('gateway login'),
    });
  });

  // promises: CLI-6, CLI-7
  it('signs in with a code at another device, and says when the sign-in was revoked', async () => {
    const login = new Run(['--url', url(), 'login', '--device'], { GATEWAY_CONFIG_DIR: folder });
    const [, address = '', code = ''] = await login.says(/Open (\S+) in[^]*?([A-Z]{4}-[A-Z]{4})/);
    const question = await submit(await openDevicePage(new URL(address), 'alice'), { user_code: code });
    await submit(question, { user_code: code.replace('-', ''), decision: 'allow' });
    expect((await login.ended).code).toBe(0);
    const list = await path.gateway.call('alice', 'GET', '/mcp-authorizations');
    await path.gateway.call('alice', 'DELETE', `/mcp-authorizations/${list.body.data[0].id as string}`);
    expect(await gateway(['whoami'], signedIn())).toMatchObject({
      code: 77,
      err: expect.stringContaining('revoked'),
    });
  });

  it('runs scripts: output on standard output, the exit code of the script', async () => {
    expect(await gateway(['exec', 'orders', '-c', 'SELECT 1 AS one'])).toEqual({
      code: 0,
      out: 'one\n1\n',
      err: '',
    });
    expect((await gateway(['exec', 'orders', '-f', '-'], undefined, 'SELECT nothing')).code).toBe(1);
    const listed = await gateway(['--output', 'json', 'sessions', 'list', '--limit', '1']);
    const [{ id }] = JSON.parse(listed.out) as [{ id: string }];
    const tail = await gateway(['sessions', 'tail', id]);
    expect([tail.code, tail.out]).toEqual([0, expect.stringContaining('> SELECT nothing')]);
    expect((await gateway(['sessions', 'replay', id, '--speed', '100'])).code).toBe(0);
    const evidence = join(folder, 'recording.evidence');
    expect((await gateway(['sessions', 'download', id, evidence, '--format', 'evidence'])).code).toBe(0);
    const keys = join(folder, 'keys.json');
    writeFileSync(keys, await (await fetch(`${path.gateway.api}/evidence-keys`)).text());
    const verified = await gateway(['sessions', 'verify-file', evidence, '--public-keys', keys]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/./)]);
    const content = readFileSync(evidence);
    content.writeUInt8(content.readUInt8(content.length >> 1) ^ 1, content.length >> 1);
    writeFileSync(evidence, content);
    expect((await gateway(['sessions', 'verify-file', evidence, '--public-keys', keys])).code).not.toBe(0);
    expect((await gateway(['sessions', 'verify', id])).out).toContain('valid');
    expect((await gateway(['connections'])).out).toContain('orders');
    expect((await gateway(['policy', 'why', 'orders'])).out).toContain('outcome');
  });

  it('lets no recording speak to the terminal', async () => {
    const script = "SELECT chr(27) || ']0;owned' || chr(7) || chr(27) || '[2J' || U&'\\202E' AS evil";
    expect((await gateway(['exec', 'orders', '-c', script])).code).toBe(0);
    const [{ id }] = JSON.parse(
      (await gateway(['--output', 'json', 'sessions', 'list', '--limit', '1'])).out,
    ) as [{ id: string }];
    for (const command of ['tail', 'replay']) {
      const { out } = await gateway(['sessions', command, id]);
      expect(out).toContain('\\x1b]0;owned\\x07');
      expect(out).toContain('\\u{202e}');
      // oxlint-disable-next-line no-control-regex
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('says what is wrong, with a code for it', async () => {
    const admin = await asAdmin();
    const ends = async (args: string[], env: Record<string, string> = admin) =>
      (await gateway(args, env)).code;
    expect(await ends(['exec', 'nowhere', '-c', 'SELECT 1'])).toBe(66);
    expect(await ends(['exec', 'orders'])).toBe(64);
    expect(await ends(['no-such-command'])).toBe(64);
    expect(await ends(['whoami'], { ...admin, GATEWAY_TOKEN: 'wrong' })).toBe(77);
    expect(await ends(['whoami'], { ...admin, GATEWAY_URL: 'http://gateway.example.com' })).toBe(64);
    expect(await ends(['login', '--device'], { ...admin, GATEWAY_URL: 'http://127.0.0.1:9' })).toBe(69);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await gateway(['completion', shell])).out).toContain('sessions');
  });

  it('ends the script when it is interrupted', async () => {
    const run = new Run(['exec', 'orders', '-c', 'SELECT pg_sleep(600) AS interrupted'], await asAdmin());
    await path.untilRunning(/AS interrupted/);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    await eventually('the target is idle', async () => {
      const [row] = await path.target.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%AS interrupted' AND state = 'active'`,
      );
      return row?.count === 0;
    });
  });
});
