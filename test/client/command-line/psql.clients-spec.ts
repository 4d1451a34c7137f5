import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWith } from '../../support/tls';
import { type WirePath, startWirePath } from '../../support/wire-path';
import { eventually } from '../../support/eventually';
import { Terminal } from '../../support/terminal';
import { CommandLine, Run, commandOf, variablesOf } from './command-line';

const execFileOf = promisify(execFile);

/** Runs the real psql over the wire protocol of PostgreSQL. */
describeWith(
  'psql',
  'script',
  'openssl',
)('psql by the command line', () => {
  let path: WirePath;
  const line = new CommandLine(() => path.gateway);
  const open = async () =>
    (await path.gateway.call('admin', 'GET', '/sessions?status=open')).body.data as object[];

  beforeAll(async () => {
    path = await startWirePath();
  });

  afterAll(async () => {
    line.remove();
    await path.close();
  });

  it('signs in without a password, by TLS alone, and ends with the exit code of psql', async () => {
    const asked = ['-XAtq', '-c', '\\getenv mode PGSSLMODE', '-c', '\\echo :mode', '-c', 'SELECT 40 + 2'];
    expect(await line.run(['psql', 'orders', '--', ...asked])).toEqual({
      code: 0,
      out: 'require\n42\n',
      err: '',
    });
    expect((await line.run(['psql', 'orders', '--', '-Xc', 'SELECT 1 / 0'])).code).toBe(1);
    const strict = { ...(await line.as('admin')), PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/nonexistent' };
    const refused = await line.run(['psql', 'orders', '--', '-Xc', 'SELECT 1'], strict);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('/nonexistent')]);
    const piped = await line.run(['psql', 'orders', '--', '-XAt'], undefined, 'SELECT 1;\nSELECT 2;\n');
    expect([piped.code, piped.out]).toEqual([0, '1\n2\n']);
  });

  it('leaves no credential behind', async () => {
    await line.run(['psql', 'orders', '--', '-Xc', 'SELECT 1']);
    const { body } = await path.gateway.call('admin', 'GET', '/connection-credentials');
    const statuses = (body.data as { status: string }[]).map(({ status }) => status);
    expect(statuses[0]).toBe('revoked');
  });

  it('takes Ctrl-C for the statement, and its password is in no list of processes', async () => {
    const terminal = new Terminal(
      commandOf('psql', 'orders', '--', '-XAt', '-v', 'PROMPT1=ready>'),
      variablesOf({ ...(await line.as('admin')), LC_ALL: 'C.UTF-8' }),
    );
    try {
      await terminal.until('ready>');
      terminal.type("SELECT pg_sleep(300), 'by the command line';\r");
      await path.untilRuns(path.target, "%'by the command line'%");
      const { stdout } = await execFileOf('ps', ['-eww', '-o', 'args']);
      expect(stdout.split('\n').filter((one) => /psql .*PROMPT1=ready>/.test(one))).toEqual(
        expect.arrayContaining([expect.stringMatching(/psql -XAt -v PROMPT1=ready>$/)]),
      );
      terminal.type('\u0003');
      await terminal.until('canceling statement due to user request');
      terminal.type('\\q\r');
      expect((await terminal.ended()).code).toBe(0);
    } finally {
      terminal.kill();
    }
    await eventually('nothing is open', async () => (await open()).length === 0);
  });

  it('prints credentials that psql takes', async () => {
    const { out } = await line.run(['--output', 'json', 'credentials', 'orders']);
    const { connection_credentials: given } = JSON.parse(out) as {
      connection_credentials: { connection_string: string };
    };
    // Runs psql asynchronously, because the gateway runs in this process.
    const { stdout } = await execFileOf('psql', ['-XAtc', 'SELECT 1', given.connection_string]);
    expect(stdout).toBe('1\n');
    const shown = await line.run(['credentials', 'orders', '--duration', '600']);
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringMatching(/^host .*\nport .*\nuser .*\npassword /),
    ]);
  });

  it('waits for an approval, says whom it waits for, and starts psql then', async () => {
    await path.connect('guarded', { access_groups: ['*'] });
    const rule = {
      name: 'guarded-access',
      access_type: 'jit',
      reviewers_groups: ['admin'],
      min_approvals: 1,
      connection_names: ['guarded'],
    };
    expect((await path.gateway.call('admin', 'POST', '/access-requests/rules', rule)).status).toBe(201);
    const run = new Run(
      ['psql', 'guarded', '--reason', 'ticket 42', '--', '-XAtc', 'SELECT 7'],
      await line.as('alice'),
    );
    const [, id = ''] = await run.says(/Waiting for approval (\S+): 0 of 1 groups \(admin: pending\)/);
    const waiting = await line.run(['requests', '--mine', 'to_decide']);
    expect(waiting.out).toMatch(/ access +\S+ +ticket 42$/m);
    expect((await line.run(['approve', id])).code).toBe(0);
    expect(await run.ended).toMatchObject({ code: 0, out: '7\n' });
    const refused = new Run(['psql', 'guarded', '--', '-XAtc', 'SELECT 7'], await line.as('bob'));
    const [, other = ''] = await refused.says(/Waiting for approval (\S+):/);
    await line.run(['reject', other, '--reason', 'not today']);
    expect(await refused.ended).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('rejected: not today'),
    });
  });
});
