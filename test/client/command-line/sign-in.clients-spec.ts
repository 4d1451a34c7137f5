import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Browser } from '../../support/browser-sign-in';
import { openDevicePage, submit } from '../../support/command-line-sign-in';
import { describeDataPath } from '../../support/describe';
import { startGateway } from '../../support/gateway';
import { press, reachConsent } from '../../support/mcp-sign-in';
import { CommandLine, Run, type Variables } from './command-line';

/** Signs alice in with a code that she types at another device. */
async function signInByDevice(env: Variables): Promise<void> {
  const login = new Run(['login', '--device'], env);
  const [, address = '', code = ''] = await login.says(/Open (\S+) in[^]*?([A-Z]{4}-[A-Z]{4})/);
  const question = await submit(await openDevicePage(new URL(address), 'alice'), { user_code: code });
  await submit(question, { user_code: code.replace('-', ''), decision: 'allow' });
  expect((await login.ended).code).toBe(0);
}

describeDataPath('signing in at the command line', ({ path, begin }) => {
  const line = new CommandLine(() => path.gateway);
  const other = begin(() =>
    startGateway({ beside: path.gateway, environment: { API_PREFIX: '/gateway/v2' } }),
  );

  afterAll(() => line.remove());

  // promises: CLI-6, CLI-7
  it('signs in with a code at another device, and says when the sign-in was revoked', async () => {
    await signInByDevice(line.signedIn);
    const list = await path.gateway.call('alice', 'GET', '/mcp-authorizations');
    await path.gateway.call('alice', 'DELETE', `/mcp-authorizations/${list.body.data[0].id as string}`);
    expect(await line.run(['whoami'], line.signedIn)).toMatchObject({
      code: 77,
      err: expect.stringContaining('revoked'),
    });
  });

  // promises: CLI-16
  it('leaves no token behind when the gateway cannot end the sign-in', async () => {
    const gone = await startGateway();
    const leaving = new CommandLine(() => gone);
    await signInByDevice(leaving.signedIn);
    await gone.close();
    expect(await leaving.run(['logout'], leaving.signedIn)).toMatchObject({
      code: 69,
      err: expect.stringMatching(/deleted from this computer.+not ended at the gateway/),
    });
    expect(await leaving.run(['logout'], leaving.signedIn)).toMatchObject({
      code: 0,
      err: expect.stringContaining('You were not signed in'),
    });
    leaving.remove();
  });

  it('says what is wrong, with a code for it', async () => {
    const admin = await line.as('admin');
    const ends = async (args: string[], env: Record<string, string> = admin) =>
      (await line.run(args, env)).code;
    expect(await ends(['exec', 'nowhere', '-c', 'SELECT 1'])).toBe(66);
    expect(await ends(['exec', 'orders'])).toBe(64);
    expect(await ends(['no-such-command'])).toBe(64);
    expect(await ends(['whoami'], { ...admin, GATEWAY_TOKEN: 'wrong' })).toBe(77);
    expect(await ends(['whoami'], { ...admin, GATEWAY_URL: 'http://gateway.example.com' })).toBe(64);
    expect(await ends(['login', '--device'], { ...admin, GATEWAY_URL: 'http://127.0.0.1:9' })).toBe(69);
  });

  // promises: CLI-9
  it('is ended by nothing that other pages and programs send to its port', async () => {
    const login = new Run(['--url', line.url, 'login', '--no-browser'], { GATEWAY_CONFIG_DIR: line.folder });
    const [address] = await login.says(/http:\S+\/oauth\/authorize\S+/);
    const asked = new URL(address);
    const port = Number(new URL(asked.searchParams.get('redirect_uri') ?? '').port);
    const state = asked.searchParams.get('state') ?? '';
    const send = (head: string): Promise<string> =>
      new Promise((resolve) => {
        let answer = '';
        const socket = createConnection(port, '127.0.0.1', () => socket.write(`${head}\r\nhost: x\r\n\r\n`));
        socket.on('data', (data) => (answer += data.toString()));
        socket.on('error', () => undefined).on('close', () => resolve(answer));
      });
    for (const target of [
      'GET //',
      'GET http://',
      'GET /?%',
      'GET /callback',
      'GET /callback?code=x&state=',
      `GET /callback?code=x&state=${state}x`,
      `GET /callback/?code=x&state=${state}`,
      `GET //callback?code=x&state=${state}`,
      `POST /callback?code=x&state=${state}`,
      'OPTIONS *',
      'nonsense',
    ])
      expect([target, await send(`${target} HTTP/1.1`)]).toEqual([
        target,
        expect.stringContaining('400 Bad Request'),
      ]);
    // Browsers open idle connections in advance.
    const idle = createConnection(port, '127.0.0.1').on('error', () => undefined);
    const browser = new Browser();
    const page = await reachConsent(browser, asked, 'alice');
    const back = (await press(browser, page, 'allow')).headers.get('location') ?? '';
    expect(await (await fetch(back)).text()).toContain('go back to your terminal');
    expect(await login.ended).toMatchObject({ code: 0, err: expect.stringContaining('alice@example.com') });
    idle.destroy();
  });

  // promises: CLI-9
  it('keeps sign-ins only where nobody else could put files', async () => {
    const open = join(line.folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const env = { GATEWAY_CONFIG_DIR: open, GATEWAY_URL: line.url };
    expect(await line.run(['login', '--device'], env)).toMatchObject({
      code: 64,
      err: expect.stringContaining('chmod go-w'),
    });
    expect(readdirSync(open)).toEqual([]);
    // In a folder that others may read, only the owner may read the files. The folder's mode is unchanged.
    chmodSync(open, 0o755);
    await signInByDevice(env);
    const modes = readdirSync(open).map((name) => statSync(join(open, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect(statSync(open).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(open, 'config.json'), 'utf8')).not.toMatch(/gw[tr]_/);
    rmSync(open, { recursive: true });
  });

  // promises: CLI-9
  it.each(['gwk_secret\nline', 'gwk_sec ret', 'gwk_secret…'])(
    'shows no part of a token: %j',
    async (token) => {
      const file = join(line.folder, 'token');
      writeFileSync(file, token);
      const admin = await line.as('admin');
      for (const { code, out, err } of [
        await line.run(['whoami'], { ...admin, GATEWAY_TOKEN: token }),
        await line.run(['--token-file', file, 'whoami'], { ...admin, GATEWAY_TOKEN: '' }),
        await line.run(['--token-file', '-', 'whoami'], { ...admin, GATEWAY_TOKEN: '' }, token),
      ]) {
        expect([code, out]).toEqual([64, '']);
        expect(err).toContain('there is no token in');
        expect(err).not.toContain('gwk_sec');
      }
    },
  );

  // promises: CLI-10
  it('finds the API below a prefix of its own, and asks for one name of the gateway', async () => {
    const admin = await line.as('admin');
    const { origin } = new URL(other.api);
    for (const url of [origin, `${origin}/`, other.api]) {
      const found = await line.run(['--url', url, 'whoami'], admin);
      expect([url, found.code, found.out]).toEqual([url, 0, expect.stringContaining('admin@example.com')]);
    }
    const login = new Run(['--url', origin, 'login', '--no-browser'], { GATEWAY_CONFIG_DIR: line.folder });
    await login.says(new RegExp(`${other.api}/oauth/authorize\\S+`));
    login.child.kill('SIGINT');
    expect((await login.ended).code).toBe(130);
    const alias = await line.run(['--url', other.api.replace('127.0.0.1', 'localhost'), 'login'], admin);
    expect([alias.code, alias.err]).toEqual([64, expect.stringContaining(`calls itself ${other.api};`)]);
    const nowhere = await line.run(['--url', `${origin}/nothing`, 'whoami'], admin);
    expect([nowhere.code, nowhere.err]).toEqual([64, expect.stringContaining('there is no gateway at')]);
  });
});
