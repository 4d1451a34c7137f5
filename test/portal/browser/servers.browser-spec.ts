import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConnectionScreen } from '../../support/portal/connection-screen';
import { describeJourneys } from '../../support/portal/journeys';
import { hasProgram } from '../../support/ssh/programs';
import { startSshClients } from '../../support/ssh/ssh-clients';

const execFileOf = promisify(execFile);

// promises: PORTAL-18
describeJourneys('servers', startSshClients, ({ path, journey }) => {
  beforeAll(async () => {
    const shown = await path.gateway.call('admin', 'PATCH', '/connections/server', { access_groups: ['*'] });
    expect([shown.status, shown.text]).toEqual([200, expect.any(String)]);
  });

  journey('are named by what they are: scripts of a shell, and ssh', async ({ open }) => {
    const alice = await open('alice', '/connections/server');
    await alice.sees('Run a shell script: You may open it');
    await alice.sees('ssh: You may open it');
    await alice.press(alice.page.getByRole('main').getByRole('link', { name: 'Run a shell script' }));
    await alice.page.getByRole('heading', { name: 'Run a shell script' }).waitFor();
    const script = alice.page.getByRole('textbox', { name: 'Shell script', exact: true });
    await alice.fill(script, 'echo $((6 * 7))');
    await alice.press(alice.page.getByRole('button', { name: 'Run', exact: true }));
    await alice.page.getByText('42', { exact: true }).waitFor();
    expect(await alice.page.getByText('SQL').count()).toBe(0);
  });

  journey(
    'have credentials with a line for ssh',
    async ({ open }) => {
      const alice = await open('alice', '/connections/server');
      const screen = new ConnectionScreen(alice);
      await alice.press(screen.button('Get a credential'));
      await alice.sees('This password is shown once');
      const line = await screen.copied('Line for your terminal').innerText();
      const password = await screen.copied('Password').innerText();
      expect(line).toMatch(/^ssh 'ssh:\/\/[0-9a-f-]{36}@127\.0\.0\.1:\d+'$/);
      if (!hasProgram('ssh')) return;
      const { stdout } = await execFileOf('sh', ['-c', `${line} ${sshOptions()} echo reached`], {
        env: {
          PATH: process.env['PATH'],
          SSH_ASKPASS: `${path.programs.folder}/askpass`,
          SSH_ASKPASS_REQUIRE: 'force',
          SSH_TEST_PASSWORD: password,
        },
      });
      expect(stdout).toBe('reached\n');
    },
    { unkilled: 'the credential is for the port of the gateway that issued it' },
  );

  function sshOptions(): string {
    return path.programs
      .options()
      .map((option) => `'${option}'`)
      .join(' ');
  }
});
