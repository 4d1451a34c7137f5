import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '../../../src/platform/database/schema/schema-version';
import { Browser } from '../../support/browser-sign-in';
import { describeDataPath } from '../../support/describe';
import { press, reachConsent } from '../../support/mcp-sign-in';
import { turnOf } from '../../support/volume';
import { CommandLine, Run } from './command-line';

/** A short form of the tests of `npm run test:clients`. */
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

    // The stored token is expired. Two commands need it at the same time, and only one of them renews it.
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

  // promises: UPGRADE-4
  it('shows the versions of the program and of the gateway', async () => {
    expect(await line.run(['--version'])).toMatchObject({
      code: 0,
      out: 'gateway 0.1.0, API 1.180.0\n',
    });
    const { code, out } = await line.run(['version', '--output', 'json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      expect.objectContaining({
        version: '1.180.0',
        program_version: '0.1.0',
        schema_version: SCHEMA_VERSION,
        database_schema_version: SCHEMA_VERSION,
      }),
    ]);
  });

  // promises: CLI-15
  it.each<[string, Buffer, string, number]>([
    ['Latin-1', Buffer.from("SELECT 'Müller' AS n", 'latin1'), 'byte 9 (0xfc)', 0],
    [
      'UTF-16',
      Buffer.from('\uFEFFSELECT 1', 'utf16le'),
      'byte 0 (0xff) is part of no character; it looks like UTF-16',
      1,
    ],
    ['a character that is cut', Buffer.from("SELECT 'é").subarray(0, 9), 'byte 8 (0xc3)', 2],
  ])(
    'sends nothing of a script or policy that is %s, and names the file and the byte',
    async (_, bytes, why, index) => {
      const file = join(line.folder, 'a.txt');
      writeFileSync(file, bytes);
      const sessions = await path.countSessions();
      const ways = [
        { args: ['exec', 'orders', '-f', file], words: `cannot be read: ${file} is not UTF-8: ${why}` },
        { args: ['rules', 'apply', '--yes', file], words: `cannot be read: ${file} is not UTF-8: ${why}` },
        { args: ['exec', 'orders', '-f', '-'], words: 'standard input is not UTF-8' },
      ];
      // `npm test` passes each input in only one of the ways. Different inputs use different ways.
      for (const { args, words } of turnOf(ways, index, 1))
        expect(await line.run(args, undefined, bytes)).toMatchObject({
          code: 64,
          out: '',
          err: expect.stringContaining(words),
        });
      expect(await path.countSessions()).toBe(sessions);
    },
  );

  // promises: CLI-15
  it('drops the byte order mark of a file, keeps its U+FFFD, and refuses U+FFFD after -c', async () => {
    const file = join(line.folder, 'bom.sql');
    writeFileSync(file, "\uFEFFselect '\uFFFDé' as one;\r\nselect 2 as two;\r\n");
    expect(await line.run(['exec', 'orders', '-f', file])).toMatchObject({
      code: 0,
      out: 'one\n\uFFFDé\ntwo\n2\n',
    });
    const argument = await line.run(['exec', 'orders', '-c', "select 'M\uFFFDller'"]);
    expect([argument.code, argument.err]).toEqual([64, expect.stringContaining('U+FFFD')]);
    const toPsql = await line.run(['psql', 'orders', '--', '-c', "select 'M\uFFFDller'"]);
    expect([toPsql.code, toPsql.err]).toEqual([64, expect.stringContaining('U+FFFD')]);
  });

  it('runs a script, and ends with its exit code', async () => {
    const found = await line.run(['exec', 'orders', '-c', 'SELECT 1 AS one']);
    expect(found).toEqual({ code: 0, out: 'one\n1\n', err: '' });
    expect((await line.run(['exec', 'nowhere', '-c', 'SELECT 1'])).code).toBe(66);
  });
});
