import { once } from 'node:events';
import { eventually } from '../support/eventually';
import { withSettings } from '../support/settings';
import { scoped } from '../support/scoped';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { type RunningCommand, beginSshClients, execute } from '../support/ssh/ssh-clients';
import { startSshClients } from '../support/ssh/ssh-clients';
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
      const closed = once(client, 'close');
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
      const idle = await path.client(login);
      await revoke(path.gateway, 'alice', login.id, 'revoked');
      expect(await command.ended).toMatchObject({ code: 254, err: expect.stringMatching(/revoked/) });
      const refused = await (await execute(idle, 'true')).ended;
      expect(refused).toEqual({ code: 254, out: '', err: 'Your credentials have ended.\n' });
      await once(idle, 'close');
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
        const client = await path.client();
        const closed = once(client, 'close');
        expect(await (await execute(client, 'sleep 1; echo done')).ended).toMatchObject({ out: 'done\n' });
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

    it('comes when the gateway stops: running commands may end, and no other begins', async () => {
      const other = await startSshClients({ environment: { SHUTDOWN_GRACE_SECONDS: '20' } });
      const client = await other.client();
      const command = await execute(client, WAITS);
      await isReady(command);
      const idle = await other.client();
      const idleClosed = once(idle, 'close');
      const clientClosed = once(client, 'close');
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
