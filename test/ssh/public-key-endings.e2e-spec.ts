import { Client } from 'ssh2';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { scoped } from '../support/scoped';
import { keyLogin, register } from '../support/ssh/person-keys';
import { describeWithPrograms } from '../support/ssh/programs';
import { freshEd25519 } from '../support/ssh/public-keys';
import { type RunningCommand, beginSshClients, disconnected, execute } from '../support/ssh/ssh-clients';
import { signedIn } from '../support/ssh/ssh-proxy';

/** A command that runs until its input ends, and does not outlive the test. */
const WAITS = 'echo ready; cat >/dev/null';

interface Registered {
  readonly id: string;
  readonly privateKey: string;
}

// promises: SSHKEY-4
describeWithPrograms(
  'sessions that began with a public key',
  ['sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const registered = async (): Promise<Registered> => {
      const { privateKey, line } = freshEd25519();
      const { status, body } = await register(path.gateway, 'alice', line);
      expect(status).toBe(201);
      return { id: body.id as string, privateKey };
    };
    const signIn = async ({ privateKey }: Registered, connection = 'server'): Promise<Client> => {
      const { user: username, port } = keyLogin(path.login.port, connection);
      const client = await signedIn(port, { username, privateKey, password: undefined } as never);
      if (typeof client === 'string') throw new Error(client);
      return client;
    };
    const waiting = async (client: Client): Promise<RunningCommand> => {
      const command = await execute(client, WAITS);
      await eventually('the command runs', () => command.out() === 'ready\n');
      return command;
    };
    const ends = (err: RegExp) => ({ code: 254, out: 'ready\n', err: expect.stringMatching(err) });

    it('end when the key is removed, on every gateway, and no channel begins with it; others go on', async () => {
      const other = await startGateway({ beside: path.gateway });
      const [removed, kept] = [await registered(), await registered()];
      const client = await signIn(removed);
      const idle = await signIn(removed);
      const command = await waiting(client);
      const spared = await waiting(await signIn(kept));
      const closed = disconnected(client);
      expect((await other.call('alice', 'DELETE', `/ssh-public-keys/${removed.id}`)).status).toBe(204);
      expect(await command.ended).toEqual(ends(/^The session was ended: the public key was removed\.\n$/));
      await closed;
      const refused = await (await execute(idle, 'true')).ended;
      expect(refused).toEqual({ code: 254, out: '', err: 'Your public key has ended.\n' });
      spared.channel.end();
      expect(await spared.ended).toMatchObject({ code: 0 });
      await other.close();
    });

    it('end when the person is disabled, and the key opens nothing until the person is active again', async () => {
      const key = await registered();
      const command = await waiting(await signIn(key));
      await path.gateway.call('admin', 'PATCH', '/users/alice', { status: 'inactive' });
      expect(await command.ended).toEqual(ends(/this user is inactive/));
      await expect(signIn(key)).rejects.toThrow(/authentication methods failed/);
      await path.gateway.call('admin', 'PATCH', '/users/alice', { status: 'active' });
      expect(await (await execute(await signIn(key), 'echo again')).ended).toMatchObject({ out: 'again\n' });
    });

    it('end when the person loses the group that opened the connection', async () => {
      const { gateway } = path;
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await gateway.call('admin', 'PATCH', '/users/alice', { groups: ['on-call'] });
      await path.connect('on-call', { access_groups: ['on-call'] });
      const command = await waiting(await signIn(await registered(), 'on-call'));
      await gateway.call('admin', 'PATCH', '/users/alice', { groups: [] });
      expect(await command.ended).toEqual(ends(/on-call/));
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    });

    it('end when the key expires, by the clock of the database', async () => {
      const key = await registered();
      const client = await signIn(key);
      const expire = (seconds: number): Promise<unknown> =>
        path.gateway.database.query(
          'UPDATE ssh_public_keys SET expires_at = now() + make_interval(secs => $2) WHERE id = $1',
          [key.id, seconds],
        );
      await expire(3600);
      const session = await execute(client, 'true');
      await session.ended;
      await expire(12);
      const command = await waiting(client);
      expect(await command.ended).toEqual(ends(/^The access ended\.\n$/));
      await expect(signIn(key)).rejects.toThrow(/authentication methods failed/);
      const { body } = await path.gateway.call('alice', 'GET', `/ssh-public-keys/${key.id}`);
      expect(body.status).toBe('expired');
    });

    it('end when the person is deleted, with the keys', async () => {
      const key = await registered();
      const command = await waiting(await signIn(key));
      expect((await path.gateway.call('admin', 'DELETE', '/users/alice')).status).toBe(204);
      expect(await command.ended).toEqual(ends(/the public key was removed|no longer exists/));
      await expect(signIn(key)).rejects.toThrow(/authentication methods failed/);
      const rows = await path.gateway.database.query('SELECT FROM ssh_public_keys WHERE id = $1', [key.id]);
      expect(rows).toEqual([]);
    });
  }),
);
