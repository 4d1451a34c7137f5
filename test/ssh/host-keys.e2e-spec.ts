import { randomBytes } from 'node:crypto';
import { rotateCommand } from '../../src/operations/key-rotation/rotate-command';
import { freePort, startGateway } from '../support/gateway';
import { scoped } from '../support/scoped';
import { columnsSealedBy } from '../support/sealed-columns';

// promises: SSHCLIENT-10
describe(
  'the host key of the SSH port',
  scoped((begin) => {
    const secretKey = randomBytes(32).toString('base64');
    const gatewayOf = async (environment: Record<string, string>) => ({
      environment: { SECRET_KEY: secretKey, SSH_PROXY_HOST: 'ssh.example.com', ...environment },
    });
    const first = begin(async () =>
      startGateway(await gatewayOf({ SSH_PROXY_PORT: String(await freePort()) })),
    );
    const keysOf = async (gateway: typeof first) =>
      (await gateway.call(null, 'GET', '/ssh-host-keys')).body.keys;

    it('is a line of known_hosts, and the same at each gateway of a database', async () => {
      const [key] = await keysOf(first);
      const port = first.variables['SSH_PROXY_PORT'];
      expect(key).toEqual({
        type: 'ssh-ed25519',
        fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
        known_hosts: expect.stringMatching(
          new RegExp(`^\\[ssh\\.example\\.com\\]:${port} ssh-ed25519 AAAAC3[A-Za-z0-9+/]+=*$`),
        ),
      });
      const second = await startGateway({
        ...(await gatewayOf({ SSH_PROXY_PORT: String(await freePort()) })),
        beside: first,
      });
      const [other] = await keysOf(second);
      await second.close();
      expect(other.fingerprint).toBe(key.fingerprint);
    });

    it('is sealed, and stays the same when SECRET_KEY is rotated', async () => {
      const [before] = await keysOf(first);
      expect(await columnsSealedBy(first.database, secretKey)).toContain('ssh_host_keys.secret');
      const fresh = randomBytes(32).toString('base64');
      const env = { DATABASE_URL: first.database.url, SECRET_KEY: `${fresh},${secretKey}` };
      const printed: string[] = [];
      expect(await rotateCommand(env, new AbortController().signal, (line) => printed.push(line))).toBe(0);
      expect(printed).toContain('ssh_host_keys: 1 of 1 sealed anew');
      const rotated = await startGateway({
        ...(await gatewayOf({ SECRET_KEY: fresh, SSH_PROXY_PORT: String(await freePort()) })),
        beside: first,
      });
      const [after] = await keysOf(rotated);
      await rotated.close();
      expect(after.fingerprint).toBe(before.fingerprint);
    });

    it('is not there while the gateway listens for no SSH clients', async () => {
      const silent = await startGateway({ ...(await gatewayOf({})), beside: first });
      expect(await keysOf(silent)).toEqual([]);
      await silent.close();
    });
  }),
);
