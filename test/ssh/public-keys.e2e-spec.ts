import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { auditLineOf } from '../support/audit';
import { dump } from '../support/canary';
import { eventually } from '../support/eventually';
import { scoped } from '../support/scoped';
import { type KeyFile, keyLogin, keyOptions, makeKey, register, succeeded } from '../support/ssh/person-keys';
import { type ProgramEnd, describeWithPrograms } from '../support/ssh/programs';
import { beginSshClients } from '../support/ssh/ssh-clients';

const REFUSED = /Permission denied \(publickey,password,keyboard-interactive\)/;

describeWithPrograms(
  'signing in with ssh and a public key of the person',
  ['ssh', 'sshd', 'ssh-keygen', 'ssh-agent', 'ssh-add'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const make = (kind?: readonly string[]): Promise<KeyFile> => makeKey(path.programs, kind);
    const registered = async (kind?: readonly string[]): Promise<KeyFile> => {
      const key = await make(kind);
      const answer = await register(path.gateway, 'alice', key.line);
      expect(answer.status).toBe(201);
      return key;
    };
    const ssh = (key: KeyFile, command: string[], connection?: string): Promise<ProgramEnd> =>
      path.programs.ssh(keyLogin(path.login.port, connection), command, { options: keyOptions(key) });

    // promises: SSHKEY-1, SSHKEY-2
    it.each([
      ['ed25519', ['-t', 'ed25519'], 256],
      ['rsa', ['-t', 'rsa', '-b', '2048'], 2048],
      ['ecdsa', ['-t', 'ecdsa', '-b', '256'], 256],
      ['ecdsa', ['-t', 'ecdsa', '-b', '384'], 384],
      ['ecdsa', ['-t', 'ecdsa', '-b', '521'], 521],
    ])('takes a key of type %s: %j', async (_name, kind, bits) => {
      const key = await make(kind);
      const { status, body } = await register(path.gateway, 'alice', key.line);
      expect(status).toBe(201);
      expect(body).toMatchObject({ bits, fingerprint: key.fingerprint, user: 'alice', last_used_at: null });
      expect(await ssh(key, ['echo hello'])).toMatchObject({ code: 0, stdout: Buffer.from('hello\n') });
      const session = await path.lastSession();
      expect(session.labels).toMatchObject({ public_key: key.fingerprint, channel: 'exec' });
      const read = await path.gateway.call('admin', 'GET', `/sessions/${session.id}`);
      expect(read.body.user_id).toBe('alice');
      const after = await path.gateway.call('alice', 'GET', `/ssh-public-keys/${body.id}`);
      expect(Date.parse(after.body.last_used_at)).toBeGreaterThan(Date.parse(body.created_at));
    });

    // promises: SSHKEY-2
    it('takes the registered one of several keys of an agent', async () => {
      const right = await registered();
      const others = [await make(), await make(), await make()];
      const socket = join(path.programs.folder, 'agent');
      const agent = path.programs.start('ssh-agent', ['-D', '-a', socket], { password: '' });
      const environment = { SSH_AUTH_SOCK: socket };
      try {
        await eventually('the agent listens', () => answers(socket));
        for (const { file } of [...others, right])
          await succeeded(path.programs, 'ssh-add', ['-q', file], environment);
        const { user, port, password } = keyLogin(path.login.port);
        const options = path.programs.options(['PubkeyAuthentication=yes']);
        const args = [...options, '-p', String(port), `${user}@127.0.0.1`, 'echo by agent'];
        const { child, ended } = path.programs.start('ssh', args, { password }, environment);
        child.stdin?.end();
        expect(await ended).toMatchObject({ code: 0, stdout: Buffer.from('by agent\n') });
      } finally {
        await agent.stop();
      }
    });

    // promises: SSHKEY-3
    it('refuses a key that nobody registered, whatever the name', async () => {
      const stranger = await make();
      for (const connection of ['server', 'no-such-connection', '../server']) {
        const { code, stderr } = await ssh(stranger, ['true'], connection);
        expect([code, stderr]).toEqual([255, expect.stringMatching(REFUSED)]);
      }
    });

    // promises: SSHKEY-2
    it('makes the person of the key the owner, and decides access as for a token', async () => {
      const { gateway } = path;
      const key = await registered();
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await path.connect('payroll', { access_groups: ['dba'] });
      const refused = await ssh(key, ['true'], 'payroll');
      expect(refused).toMatchObject({ code: 254, stderr: expect.stringMatching(/connection/) });
      const unknown = await ssh(key, ['true'], 'no-such-connection');
      expect(unknown).toMatchObject({ code: 254, stderr: expect.stringMatching(/\S/) });
      await gateway.call('admin', 'PATCH', '/connections/payroll', { access_groups: ['engineering'] });
      expect(await ssh(key, ['echo in'], 'payroll')).toMatchObject({ code: 0, stdout: Buffer.from('in\n') });
      await gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    });

    // promises: SSHKEY-1
    it('refuses private keys, weak keys and other texts; they are neither stored nor logged', async () => {
      const { file } = await make();
      const pasted = await readFile(file, 'utf8');
      const refused = await register(path.gateway, 'alice', pasted);
      expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(/private key/) } });
      const small = await make(['-t', 'rsa', '-b', '1024']);
      const weak = await register(path.gateway, 'alice', small.line);
      expect(weak).toMatchObject({ status: 422, body: { message: expect.stringMatching(/1024 bits/) } });
      for (const answer of [refused, weak])
        expect((await auditLineOf(path.gateway, answer)).status).toBe(422);
      const secret = pasted.split('\n')[2] ?? '';
      expect(secret.length).toBeGreaterThan(60);
      const stored = await dump(path.gateway.database);
      for (const text of [refused.text, stored]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
      expect(stored).toContain('ssh-public-keys');
    });

    // promises: SSHKEY-1
    it('registers a key for one person only, and removes it for that person and for admins', async () => {
      const { gateway } = path;
      const key = await make();
      const first = await register(gateway, 'bob', key.line);
      expect(first.status).toBe(201);
      for (const person of ['alice', 'bob', 'admin'] as const) {
        const again = await register(gateway, person, key.line);
        expect(again).toMatchObject({ status: 409, body: { message: expect.not.stringMatching(/bob@/) } });
      }
      const at = `/ssh-public-keys/${first.body.id}`;
      expect((await gateway.call('alice', 'GET', at)).status).toBe(404);
      expect((await gateway.call('alice', 'DELETE', at)).status).toBe(404);
      expect((await gateway.call('alice', 'GET', '/ssh-public-keys?user=bob')).status).toBe(403);
      expect((await gateway.call('auditor', 'GET', at)).status).toBe(200);
      expect((await gateway.call('auditor', 'DELETE', at)).status).toBe(403);
      const listed = await gateway.call('admin', 'GET', '/ssh-public-keys?user=bob');
      expect(listed.body.data).toEqual([first.body]);
      expect((await ssh(key, ['true'])).code).toBe(0);
      expect((await gateway.call('admin', 'DELETE', at)).status).toBe(204);
      expect(await ssh(key, ['true'])).toMatchObject({ code: 255, stderr: expect.stringMatching(REFUSED) });
      const { body } = await gateway.call('admin', 'GET', '/audit/logs?resource_type=ssh-public-keys');
      const lines = (body.data as { action: string; resource_id: string }[]).filter(
        (line) => line.resource_id === first.body.id,
      );
      expect(new Set(lines.map(({ action }) => action))).toEqual(new Set(['create', 'delete']));
      expect(JSON.stringify(lines)).toContain(key.fingerprint);
    });

    // promises: SSHKEY-4
    it('registers no key of a person who is deleted meanwhile', async () => {
      const { gateway } = path;
      const { line } = await make();
      const { body } = await gateway.call('bob', 'GET', '/userinfo');
      const lock = new Client({ connectionString: gateway.database.url });
      await lock.connect();
      await lock.query('BEGIN');
      await lock.query('DELETE FROM users WHERE email = $1', [body.email]);
      const answer = register(gateway, 'bob', line);
      await eventually('the registration waits', async () => {
        const waiting = await gateway.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%FOR NO KEY UPDATE%'`,
        );
        return waiting.length > 0;
      });
      await lock.query('COMMIT');
      await lock.end();
      expect((await answer).status).toBe(401);
    });

    // promises: SSHKEY-1
    it('registers no key of an auditor or an API key, and no more than 20 of a person', async () => {
      const { gateway } = path;
      const { line } = await make();
      expect((await register(gateway, 'auditor', line)).status).toBe(403);
      const machine = await gateway.call('admin', 'POST', '/api-keys', { name: 'robot', groups: [] });
      const byMachine = await gateway.call(
        null,
        'POST',
        '/ssh-public-keys',
        { name: 'robot', public_key: line },
        { authorization: `Bearer ${machine.body.key}` },
      );
      expect(byMachine).toMatchObject({ status: 403, body: { message: expect.stringMatching(/API keys/) } });
      const fresh = await Promise.all(Array.from({ length: 21 }, () => make()));
      const answers = await Promise.all(fresh.map((key) => register(gateway, 'admin', key.line)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
      expect(answers.find(({ status }) => status !== 201)).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/maximum/) },
      });
    });
  }),
);

/** Whether something listens at the socket. */
async function answers(socket: string): Promise<boolean> {
  const connection = createConnection(socket);
  const isOpen = await Promise.race([
    once(connection, 'connect').then(() => true),
    once(connection, 'error').then(() => false),
  ]).catch(() => false);
  connection.destroy();
  return isOpen;
}
