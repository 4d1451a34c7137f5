import { SshScripts } from '../../targets/ssh/run-script';
import { DEMO_COMMAND, DEMO_USER, type DemoSshServer, startDemoSshServer } from './demo-ssh-server';

describe('the SSH server of the demo', () => {
  let server: DemoSshServer;

  beforeEach(async () => {
    server = await startDemoSshServer();
  });

  afterEach(() => server.close());

  const run = async (script: string, more: Record<string, string> = {}) => {
    let output = '';
    const secret = {
      HOST: '127.0.0.1',
      PORT: String(server.port),
      USER: DEMO_USER,
      PASS: server.password,
      HOST_KEY: server.hostKey,
      SHELL_COMMAND: DEMO_COMMAND,
      ...more,
    };
    const exitCode = await new SshScripts().run(
      secret,
      script,
      async (type, text) => {
        output += `${type}:${text}`;
        return true;
      },
      new AbortController().signal,
      () => undefined,
    );
    return [exitCode, output];
  };

  it('runs scripts, which see what earlier ones did', async () => {
    expect(await run('ls /srv/app')).toEqual([0, 'o:config.yml\n']);
    expect(await run('rm /srv/app/config.yml; nothing')).toEqual([
      127,
      'e:demo-shell: nothing: not found; see help\n',
    ]);
    expect(await run('ls /srv/app')).toEqual([0, '']);
  });

  it('lets nobody in without its password, and runs no other command', async () => {
    const refused = 'e:The server refused the user, the password or the key of this connection.\n';
    expect(await run('ls', { PASS: 'demo' })).toEqual([2, refused]);
    expect(await run('ls', { USER: 'root' })).toEqual([2, refused]);
    expect(await run('ls', { SHELL_COMMAND: 'sh' })).toEqual([2, 'e:The server refused to run a command.\n']);
  });

  it('is another server at each start', async () => {
    const other = await startDemoSshServer();
    expect([other.hostKey, other.password]).not.toEqual([server.hostKey, server.password]);
    await other.close();
  });
});
