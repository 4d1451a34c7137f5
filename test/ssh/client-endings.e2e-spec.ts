import { eventually } from '../support/eventually';
import { withSettings } from '../support/settings';
import { scoped } from '../support/scoped';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import {
  type RunningCommand,
  beginSshClients,
  begunInTime,
  disconnected,
  execute,
  startSshClients,
  watched,
} from '../support/ssh/ssh-clients';
import { playServer } from '../support/ssh/played-server';
import { revoke } from '../support/credentials';

/** A command that runs until its input ends, and does not outlive the test. */
const WAITS = 'echo ready; cat >/dev/null';

const isReady = (command: RunningCommand) =>
  eventually('the command runs', () => command.out() === 'ready\n');

// promises: SSHCLIENT-7
describeWithPrograms(
  'the end of an SSH session',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);

    it('comes with a kill: the client learns why, and is disconnected', async () => {
      const client = await path.client();
      const command = await execute(client, WAITS);
      await isReady(command);
      const closed = disconnected(client);
      const [session] = await path.sessions();
      const killed = await path.gateway.call('admin', 'POST', `/sessions/${session?.id}/kill`);
      expect(killed.status).toBe(204);
      expect(await command.ended).toMatchObject({
        code: 254,
        out: 'ready\n',
        err: expect.stringMatching(/\S/),
      });
      await closed;
      const { exit_code, id } = await path.lastSession();
      expect(exit_code).toBe(254);
      expect((await path.recording(id)).at(-1)).toEqual(['e', (await command.ended).err]);
    });

    it('spares other channels of the connection, but none begins any more', async () => {
      const client = await path.client();
      const [one, other] = [await execute(client, WAITS), await execute(client, WAITS)];
      await isReady(one);
      await isReady(other);
      const killed = (await path.sessions())[1]?.id;
      await path.gateway.call('admin', 'POST', `/sessions/${killed}/kill`);
      await Promise.race([one.ended, other.ended]);
      await expect(execute(client, 'true')).rejects.toThrow(/open failure/i);
      one.channel.end();
      other.channel.end();
      const ends = await Promise.all([one.ended, other.ended]);
      expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 254]));
    });

    it('comes when the credentials are revoked, and no channel begins with them', async () => {
      await path.connect('revoked');
      const login = await issuedLogin(path.gateway, 'revoked');
      const client = await path.client(login);
      const command = await execute(client, WAITS);
      await isReady(command);
      await revoke(path.gateway, 'alice', login.id, 'revoked');
      expect(await command.ended).toMatchObject({ code: 254, err: expect.stringMatching(/revoked/) });
    });

    it('comes when the credentials are revoked while nothing runs', async () => {
      const login = await issuedLogin(path.gateway, 'server');
      const running = path.programs.startSsh(login, [], { flags: ['-N'] });
      const [resting, busy] = [await path.client(login), await path.client(login)];
      const command = await execute(busy, WAITS);
      await isReady(command);
      const closed = disconnected(resting);
      await revoke(path.gateway, 'alice', login.id, 'server');
      expect((await running.ended).code).toBe(255);
      await closed;
      expect((await command.ended).code).toBe(254);
    });

    it('comes when a channel begins after the credentials were revoked', async () => {
      const login = await issuedLogin(path.gateway, 'server');
      const client = await path.client(login);
      const closed = disconnected(client);
      await path.gateway.database.query(
        'UPDATE connection_credentials SET revoked_at = now() WHERE id = $1',
        [login.id],
      );
      const refused = await execute(client, 'true').then(({ ended }) => ended, String);
      // The client may be disconnected before it asks.
      if (typeof refused !== 'string')
        expect(refused).toEqual({ code: 254, out: '', err: 'Your credentials have ended.\n' });
      await closed;
    });

    it('comes when the person loses the connection', async () => {
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await path.connect('lost', { access_groups: ['engineering'] });
      const client = await path.client(await issuedLogin(path.gateway, 'lost'));
      const command = await execute(client, WAITS);
      await isReady(command);
      await path.gateway.call('admin', 'PATCH', '/connections/lost', { access_groups: ['dba'] });
      expect(await command.ended).toMatchObject({ code: 254, err: expect.stringMatching(/groups/) });
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    });

    it('comes when the client leaves, and when its connection is lost', async () => {
      const leaving = await path.client();
      await isReady(await execute(leaving, WAITS));
      leaving.end();
      expect((await path.lastSession()).exit_code).toBe(255);
      const lost = await path.client();
      const command = await execute(lost, WAITS);
      await isReady(command);
      lost.destroy();
      const session = await path.lastSession();
      expect(session.exit_code).toBe(255);
      expect((await path.recording(session.id)).at(-1)).toEqual([
        'e',
        'The connection of the client was lost.\n',
      ]);
    });

    it('comes when the client closes a channel alone', async () => {
      const client = await path.client();
      const command = await execute(client, WAITS);
      await isReady(command);
      command.channel.close();
      const session = await path.lastSession();
      expect((await path.recording(session.id)).at(-1)).toEqual([
        'e',
        'The client closed the channel before the program ended.\n',
      ]);
      expect(await (await execute(client, 'echo on')).ended).toMatchObject({ code: 0, out: 'on\n' });
      client.end();
    });

    it('comes when a client does nothing for too long, but not while a command runs', async () => {
      await withSettings(path.gateway, { sshProxy: { idleMinutes: 1 / 300 } }, async () => {
        const { begun, closed } = await begunInTime(
          () => path.client(),
          (client) => execute(client, 'sleep 1; echo done'),
        );
        expect(await begun.ended).toMatchObject({ out: 'done\n' });
        await closed;
      });
    });

    it('comes when the server is gone', async () => {
      const client = await path.client();
      const command = await execute(client, 'kill -9 $PPID; sleep 1');
      expect(await command.ended).toMatchObject({
        code: 255,
        err: 'The connection to the server was lost.\n',
      });
      // The next command dials the server again.
      expect(await (await execute(client, 'echo again')).ended).toMatchObject({ code: 0, out: 'again\n' });
      client.end();
    });

    it('comes with the channel, also if the server reports no exit code', async () => {
      const server = await playServer({
        exec: (channel) => void channel.end('done'),
        sftp: (files) => files.end(),
      });
      try {
        await path.ask('mute', server.secret());
        const client = await path.client(await issuedLogin(path.gateway, 'mute'));
        const mute = 'The server closed the session without an exit code.\n';
        expect(await (await execute(client, 'true')).ended).toEqual({ code: 255, out: 'done', err: mute });
        const files = await new Promise<RunningCommand>((resolve, reject) =>
          client.subsys('sftp', (error, channel) => (error ? reject(error) : resolve(watched(channel)))),
        );
        expect(await files.ended).toEqual({ code: 0, out: '', err: '' });
        const session = await path.lastSession();
        expect(session).toMatchObject({ exit_code: 0, labels: { channel: 'sftp' } });
        expect((await path.recording(session.id)).filter(([type]) => type === 'e')).toEqual([]);
        client.end();
      } finally {
        await server.close();
      }
    });

    it('comes when the gateway stops: running commands may end, and no other begins', async () => {
      const other = await startSshClients({ environment: { SHUTDOWN_GRACE_SECONDS: '20' } });
      const client = await other.client();
      const command = await execute(client, WAITS);
      await isReady(command);
      const idle = await other.client();
      const idleClosed = disconnected(idle);
      const clientClosed = disconnected(client);
      const closed = other.stop();
      await idleClosed;
      await expect(execute(client, 'true')).rejects.toThrow(/open failure/i);
      command.channel.end();
      expect(await command.ended).toMatchObject({ code: 0 });
      await clientClosed;
      await closed;
    });

    it('comes with the end of the grace period, in words', async () => {
      const other = await startSshClients({ environment: { SHUTDOWN_GRACE_SECONDS: '1' } });
      const client = await other.client();
      const command = await execute(client, WAITS);
      await isReady(command);
      const closed = other.stop();
      expect(await command.ended).toMatchObject({ code: 254, err: 'The gateway is shutting down.\n' });
      await closed;
    });
  }),
);
