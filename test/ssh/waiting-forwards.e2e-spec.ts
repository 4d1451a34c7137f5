import type { Client } from 'ssh2';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import { listens } from '../support/ssh/forwarded';
import { type SshLogin, describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const FIVE_MINUTES = 5 * 60_000;

/** Parts of the driver's client that ask whether the server lives, and take the answers in order. */
interface AskingParts {
  readonly _protocol: { ping(): void };
  readonly _callbacks: (() => void)[];
}

// promises: SSHCLIENT-5, SSHFORWARD-4
describeWithPrograms(
  'a listening by ssh that waits for an approval',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let login: SshLogin;
    let port: number;
    let count = 0;

    beforeEach(async () => {
      const name = `waiting-${(count += 1)}`;
      await path.ask(name, path.server.secret({ FORWARD_FROM: 'localhost:*' }));
      await ruleForScripts(path.gateway, name);
      login = await issuedLogin(path.gateway, name);
      port = await freePort();
    });
    afterEach(() => jest.restoreAllMocks());

    const asked = () =>
      eventually('a review is asked for', async () =>
        (await path.gateway.call('admin', 'GET', '/reviews?status=PENDING')).body.data.at(0),
      );
    const listenFor = (client: Client): Promise<string> =>
      new Promise((resolve) =>
        client.forwardIn('localhost', port, (error) => resolve(error?.message ?? 'listens')),
      );

    it('does not let OpenSSH give up, which asks whether the gateway lives', async () => {
      const flags = ['-vvv', '-N', '-o', 'ServerAliveInterval=1', '-o', 'ServerAliveCountMax=1'];
      const ssh = path.programs.startSsh(login, [], {
        flags: [...flags, '-R', `localhost:${port}:127.0.0.1:9`],
      });
      const review = await asked();
      // Without a sign of life, the client leaves instead of the second question.
      await eventually('the client has asked several times', () => {
        if (ssh.child.exitCode !== null) throw new Error(ssh.stderr());
        return ssh.stderr().split('send packet: type 80').length > 6;
      });
      await approve(path.gateway, review.id);
      await eventually('the server listens', () => listens(port));
      await ssh.stop();
    });

    it('is refused after five minutes, and begins at once when it is asked for after the approval', async () => {
      const late: (() => void)[] = [];
      const timeout = globalThis.setTimeout;
      const client = await path.client(login);
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) => {
        if (ms === FIVE_MINUTES) late.push(work);
        return timeout(work, ms);
      }) as typeof setTimeout);
      const waiting = listenFor(client);
      const review = await asked();
      for (const work of late) work();
      expect(await waiting).toContain('Unable to bind');
      const { id } = await path.lastSession();
      expect(JSON.stringify(await path.recording(id))).toContain(
        'Nobody approved the listening within 5 minutes.',
      );
      await approve(path.gateway, review.id);
      expect(await listenFor(client)).toBe('listens');
      client.end();
    });

    // promises: SSHCLIENT-11
    it('answers what the client asks meanwhile in its order, up to a thousand questions', async () => {
      const client = await path.client(login);
      const order: string[] = [];
      const ask = (questions: number): Promise<void> =>
        new Promise((resolve) => {
          const { _protocol: protocol, _callbacks: callbacks } = client as unknown as AskingParts;
          for (let asked = 1; asked <= questions; asked += 1) {
            callbacks.push(() => {
              order.push('lives');
              if (asked === questions) resolve();
            });
            protocol.ping();
          }
        });
      // In the callback itself, because answers may come together.
      client.forwardIn('localhost', port, () => order.push('listens'));
      const review = await asked();
      const answered = ask(999);
      // The gateway has read all of them.
      await expect(execute(client, 'true').then(({ channel }) => channel.close())).resolves.toBeUndefined();
      expect(order).toEqual([]);
      await approve(path.gateway, review.id);
      await answered;
      expect([order.length, order.indexOf('listens')]).toEqual([1_000, 0]);

      port = await freePort();
      void listenFor(client);
      await asked();
      const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
      void ask(1_000);
      await closed;
      const other = await path.client();
      expect(await (await execute(other, 'echo here')).ended).toMatchObject({ out: 'here\n' });
      other.end();
    });
  }),
);
