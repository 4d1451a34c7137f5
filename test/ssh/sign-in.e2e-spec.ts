import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scoped } from '../support/scoped';
import { describeWithSshd, makeKey } from '../support/ssh/open-ssh-server';
import { pemKey } from '../support/ssh/played-server';
import { startSshPath } from '../support/ssh/ssh-path';

describeWithSshd(
  'a connection to an SSH server',
  scoped((begin) => {
    const path = begin(() => startSshPath());
    let count = 0;

    /** Creates a connection whose secret differs from a good one in these fields. */
    const connected = async (more: Record<string, string>) => {
      const name = `sign-in-${(count += 1)}`;
      const answer = await path.ask(name, path.server.secret(more));
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return name;
    };
    const refused = async (more: Record<string, string>) => {
      const answer = await path.ask(`refused-${(count += 1)}`, path.server.secret(more));
      expect(answer.status).toBe(422);
      return answer.body.message as string;
    };
    const authorize = (name: string) => readFileSync(join(path.server.folder, `${name}.pub`), 'utf8');

    it('is tested, and listed with its kind', async () => {
      expect(await path.test('server')).toMatchObject({ success: true, message: 'The target answers.' });
      const { body } = await path.gateway.call('admin', 'GET', '/connection-kinds');
      const { data } = body as { data: { subtype: string }[] };
      expect(data.find(({ subtype }) => subtype === 'ssh')).toMatchObject({
        type: 'application',
        runs_scripts: true,
        title: 'SSH server',
      });
    });

    // promises: SSH-2
    it('without a host key signs nobody in, and shows the fingerprint for an admin to verify', async () => {
      const name = await connected({ HOST_KEY: '' });
      const sentence = `The server shows the ssh-ed25519 key ${path.server.fingerprint}.`;
      const { success, message } = await path.test(name);
      expect([success, message]).toEqual([false, expect.stringContaining(sentence)]);
      const { body } = await path.run('echo ran', { connection: name });
      expect(body).toMatchObject({ output_status: 'failed', exit_code: 2 });
      expect(body.output).toContain(sentence);
      const change = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        secret: { HOST_KEY: path.server.fingerprint },
      });
      expect(change.status).toBe(200);
      expect(await path.test(name)).toMatchObject({ success: true });
    });

    // promises: SSH-2
    it.each<[string, () => string]>([
      ['a fingerprint', () => path.server.fingerprint],
      ['a public key', () => path.server.hostKey],
      ['a line of known_hosts', () => `|1|c2FsdA==|aGFzaA== ${path.server.hostKey}`],
      [
        'what ssh-keyscan prints',
        () => `# 127.0.0.1:22 SSH-2.0\n[127.0.0.1]:${path.server.port} ${path.server.hostKey}\n\n`,
      ],
      ['several', () => `SHA256:${'A'.repeat(43)}\n${path.server.fingerprint}\n`],
    ])('knows the server by %s', async (_, hostKey) => {
      expect(await path.test(await connected({ HOST_KEY: hostKey() }))).toMatchObject({ success: true });
    });

    // promises: SSH-2
    it('stops at a host key that is not one of its own', async () => {
      const other = `SHA256:${'A'.repeat(43)}`;
      const { success, message } = await path.test(await connected({ HOST_KEY: other }));
      expect(success).toBe(false);
      expect(message).toContain('The host key of the server is not one of HOST_KEY: this may be an attack');
      expect(message).toContain(path.server.fingerprint);
    });

    // promises: SSH-1
    it('signs in with keys of all types and formats, and passphrases', async () => {
      const { folder } = path.server;
      const keys: [string, Parameters<typeof makeKey>[2]][] = [
        ['ed25519-encrypted', { passphrase: 'correct horse' }],
        ['ecdsa', { type: 'ecdsa' }],
        ['rsa', { type: 'rsa' }],
        ['rsa-pem-encrypted', { type: 'rsa', passphrase: 'pä§s', more: ['-m', 'PEM'] }],
        ['rsa-pkcs8', { type: 'rsa', more: ['-m', 'PKCS8'] }],
        ['ecdsa-cbc', { type: 'ecdsa', passphrase: 'x', more: ['-Z', 'aes128-cbc', '-a', '1'] }],
      ];
      for (const [name, options = {}] of keys) {
        const key = makeKey(folder, name, options);
        path.server.authorize(authorize(name));
        const { passphrase = '' } = options;
        const connection = await connected({ PRIVATE_KEY: key, PASSPHRASE: passphrase });
        expect([name, await path.test(connection)]).toMatchObject([name, { success: true }]);
      }
    });

    it('is refused by a server that does not know the key, or the password', async () => {
      const stranger = makeKey(path.server.folder, 'stranger');
      const sentence = 'The server refused the user, the password or the key of this connection.';
      for (const more of [{ PRIVATE_KEY: stranger }, { PRIVATE_KEY: '', PASS: 'canary-password' }]) {
        const name = await connected(more);
        expect(await path.test(name)).toMatchObject({ success: false, message: sentence });
        const { body, text } = await path.run('echo ran', { connection: name });
        expect(body).toMatchObject({ output_status: 'failed', exit_code: 2, output: `${sentence}\n` });
        expect(text).not.toContain('canary');
      }
    });

    // promises: SSH-1
    it('is not saved with a key that could not be used', async () => {
      const { folder, userKey } = path.server;
      const encrypted = makeKey(folder, 'encrypted', { passphrase: 'right' });
      const slow = makeKey(folder, 'slow', { passphrase: 'right', more: ['-a', '101'] });
      const pem = makeKey(folder, 'pem', { type: 'rsa', passphrase: 'right', more: ['-m', 'PEM'] });
      const wrong = 'secret.PRIVATE_KEY cannot be read with this PASSPHRASE';
      expect(await refused({ PRIVATE_KEY: encrypted, PASSPHRASE: 'wrong' })).toBe(wrong);
      expect(await refused({ PRIVATE_KEY: pem, PASSPHRASE: 'wrong' })).toBe(wrong);
      const needed = 'secret.PRIVATE_KEY is encrypted, so secret.PASSPHRASE is required';
      expect(await refused({ PRIVATE_KEY: encrypted })).toBe(needed);
      expect(await refused({ PRIVATE_KEY: pem })).toBe(needed);
      expect(await refused({ PRIVATE_KEY: slow, PASSPHRASE: 'right' })).toContain('ssh-keygen -p');
      const short = makeKey(folder, 'short', { type: 'rsa', more: ['-b', '1024'] });
      expect(await refused({ PRIVATE_KEY: short })).toContain('an RSA key of less than 2048 bits');
      expect(await refused({ PRIVATE_KEY: pemKey('rsa', 1_024) })).toContain('less than 2048 bits');
      expect(await refused({ PRIVATE_KEY: path.server.hostKey })).toContain('is a public key');
      expect(await refused({ PRIVATE_KEY: userKey.slice(0, -60) })).toContain('is not a complete');
      expect(await refused({ PRIVATE_KEY: 'canary' })).toBe(
        'secret.PRIVATE_KEY is not a complete private key',
      );
      expect(await refused({ PASS: 'x' })).toContain('exclude each other');
      expect(await refused({ PRIVATE_KEY: '' })).toContain('PASS or secret.PRIVATE_KEY is required');
      expect(await refused({ HOST_KEY: 'canary' })).not.toContain('canary');
      expect(await refused({ PORT: '0' })).toContain('must be a port number');
    });

    // promises: SSH-2
    it('stops when the server has another host key, and goes on with the former', async () => {
      const name = await connected({});
      expect(await path.test(name)).toMatchObject({ success: true });
      const fingerprint = await path.server.changeHostKey();
      const { success, message } = await path.test(name);
      expect([success, message]).toEqual([false, expect.stringContaining(fingerprint)]);
      const { body } = await path.run('echo ran', { connection: name });
      expect([body.exit_code, body.output]).toEqual([2, expect.stringContaining(fingerprint)]);
      expect(path.server.log()).not.toContain('canary');
    });
  }),
);
