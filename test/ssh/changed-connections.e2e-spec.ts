import type { Client } from 'ssh2';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import { type Listener, answerAtEnd, listenAt, listens, openStream } from '../support/ssh/forwarded';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute, watched } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

type Fields = Record<string, string>;

const ALL: Fields = { FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*' };

// promises: SSHCLIENT-5, SSHCLIENT-8, SSHFORWARD-1, SSHFORWARD-4
describeWithPrograms(
  'connections that are changed while something waits for an approval',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    let echo: Listener;
    let listening: number;
    let count = 0;

    beforeAll(async () => {
      echo = await listenAt(0, answerAtEnd);
      listening = await freePort();
    });
    afterAll(() => echo.close());

    /**
     * Begins something that waits, changes the secret of its connection, and approves. Returns how it ended,
     * and what the recording of its session has.
     */
    const changed = async (start: (client: Client) => Promise<string>, secret: Fields) => {
      const name = `changing-${(count += 1)}`;
      const answer = await path.ask(name, path.server.secret(ALL));
      if (answer.status !== 201) throw new Error(answer.text);
      const login = await issuedLogin(path.gateway, name);
      await ruleForScripts(path.gateway, name);
      const client = await path.client(login);
      const end = start(client);
      const review = await eventually('a review is asked for', async () =>
        (await path.gateway.call('admin', 'GET', '/reviews?status=PENDING')).body.data.at(0),
      );
      const patched = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { secret });
      expect(patched.status).toBe(200);
      await approve(path.gateway, review.id);
      const found = { end: await end, recorded: '', exitCode: 0 as number | null };
      client.end();
      const { id, exit_code: exitCode } = await path.lastSession();
      return { ...found, exitCode, recorded: JSON.stringify(await path.recording(id)) };
    };

    const run = async (client: Client): Promise<string> => {
      const { out, err } = await (await execute(client, 'echo ran')).ended;
      return out + err;
    };
    const shell = (client: Client): Promise<string> =>
      new Promise((resolve) =>
        client.shell(false, (_, channel) => {
          const { ended } = watched(channel);
          channel.end('echo ran\n');
          void ended.then(({ out, err }) => resolve(out + err));
        }),
      );
    const files = (client: Client): Promise<string> =>
      new Promise((resolve) =>
        client.subsys('sftp', (_, channel) => {
          const { ended } = watched(channel);
          channel.end(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]));
          void ended.then(({ out, err }) => resolve(out === '' ? err : 'ran'));
        }),
      );
    const stream = async (client: Client): Promise<string> => {
      const opened = await openStream(client, '127.0.0.1', echo.port);
      if (typeof opened === 'string') return opened;
      opened.close();
      return 'ran';
    };
    const listen = (client: Client): Promise<string> =>
      new Promise((resolve) =>
        client.forwardIn('localhost', listening, (error) => resolve(error?.message ?? 'ran')),
      );

    const NARROWED: [string, (client: Client) => Promise<string>, Fields, string][] = [
      ['a command', run, { CLIENT_MAY: 'sftp' }, 'This connection allows no commands.'],
      ['a shell', shell, { CLIENT_MAY: 'command' }, 'This connection allows no interactive shells.'],
      ['files', files, { CLIENT_MAY: 'command' }, 'This connection allows no file transfers by SFTP.'],
      [
        'a stream',
        stream,
        { FORWARD_TO: '127.0.0.1:1' },
        'This connection does not allow forwards to this destination.',
      ],
      [
        'a listening',
        listen,
        { FORWARD_FROM: 'localhost:1' },
        'This connection does not allow its server to listen at this address for a client.',
      ],
    ];

    it.each(NARROWED)('do not let %s begin that is no longer allowed', async (_, start, fields, refusal) => {
      const { end, recorded, exitCode } = await changed(start, path.server.secret({ ...ALL, ...fields }));
      expect(end).toContain(start === listen ? 'Unable to bind' : refusal);
      expect([exitCode, recorded.split(refusal).length]).toEqual([254, 2]);
      expect(await listens(listening)).toBe(false);
    });

    it.each(NARROWED)('let %s begin if it is still allowed', async (_, start) => {
      const { end } = await changed(start, path.server.secret({ ...ALL, TERMINAL_INPUT: 'recorded' }));
      expect(end).toMatch(/^ran/);
    });

    it('lead to the server that they name when people have approved', async () => {
      const other = await playServer({
        signIn: (attempt) => attempt.accept(),
        exec: (channel) => {
          channel.write('at the other one');
          channel.exit(0);
          channel.end();
        },
      });
      const { HOST_KEY = '', PORT = '' } = other.secret();
      const { end } = await changed(run, path.server.secret({ HOST_KEY, PORT }));
      expect(end).toMatch(/^at the other one/);
      await other.close();
    });
  }),
);
