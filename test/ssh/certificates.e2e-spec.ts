import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshSshKey } from '../../src/platform/keys/fresh-ssh-key';
import { openSsh } from '../../src/targets/ssh/open-ssh';
import { serverFault } from '../../src/targets/ssh/ssh-faults';
import { withCertificate } from '../../src/targets/ssh/user-certificate';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { scoped } from '../support/scoped';
import { describeWithSshd, startOpenSshServer } from '../support/ssh/open-ssh-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute, watched } from '../support/ssh/ssh-clients';

const CERTIFICATE = { AUTH: 'certificate', PRIVATE_KEY: '' };
const REFUSED = 'The server refused the certificate of the gateway.';

// promises: SSH-11
describeWithPrograms(
  'a connection that signs in by certificate',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const line = () => path.gateway.call(null, 'GET', '/ssh/user-ca.pub');
    const connected = async (name: string) =>
      expect((await path.ask(name, path.server.secret(CERTIFICATE))).status).toBe(201);
    const accepted = (keyId: string) =>
      eventually(`the server has accepted ${keyId}`, () =>
        path.server.log().includes(`ID "${keyId}" (serial `),
      );

    it('is told what to do while the server does not trust the CA', async () => {
      await connected('untrusting');
      const { success, message } = await path.test('untrusting');
      expect([success, message]).toEqual([false, expect.stringContaining(REFUSED)]);
      expect(message).toContain('TrustedUserCAKeys in sshd_config');
      const { body } = await path.run('echo ran', { connection: 'untrusting' });
      expect([body.exit_code, body.output]).toEqual([2, `${message}\n`]);
    });

    it('gives its CA to everybody, as sshd reads it, and the same at each gateway of a database', async () => {
      const { status, headers, text } = await line();
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(text).toMatch(/^ssh-ed25519 AAAAC3[A-Za-z0-9+/]+=* access-gateway user CA\n$/);
      const second = await startGateway({ beside: path.gateway });
      expect((await second.call(null, 'GET', '/ssh/user-ca.pub')).text).toBe(text);
      await second.close();
    });

    it('runs scripts, and the log of the server names the person and the session', async () => {
      path.server.trustCas((await line()).text);
      await connected('trusting');
      expect(await path.test('trusting')).toMatchObject({ success: true });
      await accepted(
        `${(await path.gateway.call('admin', 'GET', '/userinfo')).body.email} test connection trusting`,
      );
      const { body } = await path.run('echo ran', { connection: 'trusting' }, 'alice');
      expect(body).toMatchObject({ output_status: 'success', exit_code: 0, output: 'ran\n' });
      await accepted(`alice@example.com session ${body.session_id} connection trusting`);
      // The secret is unchanged: each sign-in has a key and a certificate of its own.
      const { body: stored } = await path.gateway.call('admin', 'GET', '/connections/trusting');
      expect(Object.keys(stored.secret).sort()).toEqual(['AUTH', 'HOST', 'HOST_KEY', 'PORT', 'USER']);
      const keys = [
        ...path.server.log().matchAll(/Accepted publickey for \S+ .*?: ED25519-CERT (SHA256:\S+)/g),
      ];
      expect(new Set(keys.map(([, key]) => key)).size).toBe(keys.length);
    });

    it('serves clients, with a terminal, by one certificate for all channels of a client', async () => {
      const login = await issuedLogin(path.gateway, 'trusting');
      const client = await path.client(login);
      const first = await (await execute(client, 'echo one')).ended;
      const terminal = await new Promise<ReturnType<typeof watched>>((resolve, reject) => {
        client.shell({ term: 'xterm' }, (error, channel) =>
          error ? reject(error) : resolve(watched(channel)),
        );
      });
      terminal.channel.write('tty >/dev/null && echo is a terminal; exit 3\n');
      expect([first.out, (await terminal.ended).code]).toEqual(['one\n', 3]);
      expect(terminal.out()).toContain('is a terminal\r\n');
      client.end();
      const [shell, command] = await path.sessions();
      expect([shell?.labels['channel'], command?.labels['channel']]).toEqual(['shell', 'exec']);
      await accepted(`alice@example.com session ${command?.id} connection trusting`);
      expect(path.server.log()).not.toContain(`session ${shell?.id}`);
    });

    it('is saved with no other way to sign in, and no forwards', async () => {
      for (const more of [
        { PASS: 'canary' },
        { PRIVATE_KEY: path.server.userKey },
        { PASSPHRASE: 'canary' },
        { FORWARD_TO: 'db:5432' },
        { FORWARD_FROM: 'localhost:8080' },
      ]) {
        const { status, body } = await path.ask('refused', path.server.secret({ ...CERTIFICATE, ...more }));
        expect([status, body.message]).toEqual([
          422,
          `secret.${Object.keys(more)[0]} has no effect with AUTH=certificate`,
        ]);
      }
      const given = await path.ask('refused', { ...path.server.secret(CERTIFICATE), CERTIFICATE: 'AAAA' });
      expect([given.status, given.body.message]).toEqual([
        422,
        expect.stringContaining('CERTIFICATE is not known'),
      ]);
      const unknown = await path.ask('refused', path.server.secret({ AUTH: 'agent' }));
      expect(unknown.body.message).toContain('must be one of certificate');
    });
  }),
);

// promises: SSH-12
describeWithSshd(
  'a certificate at an OpenSSH server',
  scoped((begin) => {
    const server = begin(() => startOpenSshServer());
    const ca = freshSshKey();
    const use = { keyId: 'alice@example.com session 1 connection web1', hasTerminal: false };
    const secretOf = (more = {}, { key, now }: { key?: string; now?: number } = {}) =>
      withCertificate(
        { ...server.secret(CERTIFICATE), ...more },
        use,
        () => Promise.resolve(key ?? ca.key),
        now,
      );
    const signIn = async (secret: Readonly<Record<string, string>>): Promise<string> => {
      try {
        (await openSsh(secret)).close();
        return 'signed in';
      } catch (error) {
        return serverFault(error);
      }
    };
    const logged = (text: string) => eventually(`the log has: ${text}`, () => server.log().includes(text));
    const HOUR = 3_600_000;

    beforeAll(() => server.trustCas(`ssh-ed25519 ${ca.publicKey}\n`));

    it('is taken within minutes, also where a clock is slow or fast, and refused outside of them', async () => {
      for (const now of [0, -240_000, 240_000])
        expect(await signIn(await secretOf({}, { now: Date.now() + now }))).toBe('signed in');
      expect(await signIn(await secretOf({}, { now: Date.now() - HOUR }))).toContain(REFUSED);
      await logged('Certificate invalid: expired');
      expect(await signIn(await secretOf({}, { now: Date.now() + HOUR }))).toContain(REFUSED);
      await logged('Certificate invalid: not yet valid');
    });

    it('for another account, or of another CA, is refused', async () => {
      const other = await secretOf({ USER: 'nobody' });
      expect(await signIn({ ...other, USER: server.user })).toContain(REFUSED);
      await logged('Certificate invalid: name is not a listed principal');
      const { key } = freshSshKey();
      expect(await signIn(await secretOf({}, { key }))).toContain(REFUSED);
      expect(await signIn(await secretOf())).toBe('signed in');
    });

    it('that was changed at any byte is refused', async () => {
      const secret = await secretOf();
      const certificate = Buffer.from(secret['CERTIFICATE'] ?? '', 'base64');
      const step = Math.ceil(certificate.length / 12);
      // The first field names the type, without which nothing is sent.
      for (let at = 40; at < certificate.length; at += step) {
        const changed = Buffer.from(certificate);
        changed[at] = (changed[at] ?? 0) ^ 1;
        const fault = await signIn({ ...secret, CERTIFICATE: changed.toString('base64') });
        expect([at, fault]).toEqual([at, expect.stringContaining(REFUSED)]);
      }
    });

    it('with a critical option is refused where it is forged, and where the server does not know it', async () => {
      const secret = await secretOf();
      const certificate = Buffer.from(secret['CERTIFICATE'] ?? '', 'base64');
      const name = Buffer.from('0000000d666f7263652d636f6d6d616e64', 'hex');
      const value = Buffer.from('0000000a00000006636c616d7364', 'hex');
      const option = Buffer.concat([name, value]);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(option.length);
      // Critical options, extensions and a reserved field are empty, and followed by the key of the CA.
      const at = certificate.indexOf(Buffer.from(ca.publicKey, 'base64')) - 16;
      expect(certificate.subarray(at, at + 12)).toEqual(Buffer.alloc(12));
      const forged = [certificate.subarray(0, at), length, option, certificate.subarray(at + 4)];
      const fault = await signIn({ ...secret, CERTIFICATE: Buffer.concat(forged).toString('base64') });
      expect(fault).toContain(REFUSED);

      const { key, publicKey } = freshSshKey();
      const file = (part: string) => join(server.folder, part);
      writeFileSync(file('ca'), ca.key, { mode: 0o600 });
      writeFileSync(file('unknown.pub'), `ssh-ed25519 ${publicKey}\n`);
      const options = ['-O', 'critical:unknown@example.com=x', '-n', server.user, '-I', 'unknown'];
      execFileSync('ssh-keygen', ['-q', '-s', file('ca'), ...options, file('unknown.pub')]);
      const [, signed = ''] = readFileSync(file('unknown-cert.pub'), 'utf8').split(' ');
      expect(await signIn({ ...secret, PRIVATE_KEY: key, CERTIFICATE: signed })).toContain(REFUSED);
      await logged('critical option "unknown@example.com" is not supported');
    });

    it('is refused for accounts that have no principals where a server asks for them', async () => {
      const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'principals-'));
      const strict = await startOpenSshServer([`AuthorizedPrincipalsFile ${folder}/%u`]);
      strict.trustCas(`ssh-ed25519 ${ca.publicKey}\n`);
      const signInThere = async () => signIn(await secretOf(strict.secret(CERTIFICATE)));
      expect(await signInThere()).toContain(REFUSED);
      await writeFile(join(folder, strict.user), `${strict.user}\n`);
      expect(await signInThere()).toBe('signed in');
      await strict.close();
      await rm(folder, { recursive: true });
    });

    it('for scripts allows no terminal, and none allows to forward ports', async () => {
      const ssh = await openSsh(await secretOf());
      const forwarded = new Promise<string>((resolve) => {
        ssh.client.forwardOut('127.0.0.1', 0, '127.0.0.1', server.port, (error) =>
          resolve(error?.message ?? ''),
        );
      });
      expect(await forwarded).toContain('open failed');
      const terminal = new Promise<string>((resolve) => {
        ssh.client.shell({ term: 'xterm' }, (error) => resolve(error?.message ?? ''));
      });
      expect(await terminal).toContain('Unable to request a pseudo-terminal');
      ssh.close();
    });
  }),
);
