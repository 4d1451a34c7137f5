import { once } from 'node:events';
import { openSsh } from '../../src/targets/ssh/open-ssh';
import { scoped } from '../support/scoped';
import { describeWithSshd } from '../support/ssh/open-ssh-server';
import { startSshPath } from '../support/ssh/ssh-path';

describeWithSshd(
  'a script on an SSH server',
  scoped((begin) => {
    const path = begin(() => startSshPath());

    const run = async (script: string, connection = 'server') =>
      (await path.run(script, { connection })).body;

    // promises: SSH-4, SSH-6
    it('runs in the login shell, with output, error output and exit code', async () => {
      const done = await run('echo out; echo err >&2; printf "%s\\n" "$0" | grep -q sh && exit 7');
      expect(done).toMatchObject({
        output_status: 'failed',
        exit_code: 7,
        results: [
          { kind: 'text', output: 'out\n' },
          { kind: 'message', output: 'err\n' },
        ],
      });
      expect(await path.recording(done.session_id)).toEqual([
        ['i', expect.stringMatching(/^echo out/)],
        ['o', 'out\n'],
        ['e', 'err\n'],
      ]);
      const { body } = await path.read(done.session_id, '/verify');
      expect(body).toMatchObject({ status: 'valid', faults: [] });
      expect((await path.read(done.session_id)).body).toMatchObject({ status: 'done', exit_code: 7 });
    });

    // promises: SSH-4
    it.each<[string, string, number, string]>([
      ['nothing', ' ', 0, ''],
      ['a comment', '#!/bin/sh\n# nothing', 0, ''],
      ['an exit within a function', 'f() { exit 3; }; f; echo no', 3, ''],
      ['a failing last line', 'true\nfalse', 1, ''],
      ['set -e', 'set -e\nfalse\necho no', 1, ''],
      ['a trap at the end', "trap 'echo bye' EXIT; exit 4", 4, 'bye\n'],
      ['a here-document', 'cat <<END\none $((1+1))\nEND\n', 0, 'one 2\n'],
      ['a line without an end', 'printf x', 0, 'x'],
      ['quotes of every kind', `printf '%s|' 'a"b' "c'd" 'e\\f' $'' "\`echo g\`"`, 0, `a"b|c'd|e\\f||g|`],
      ['programs that read their input', 'cat; read line; echo "[$line]"; wc -c', 0, '[]\n0\n'],
      ['no arguments', 'echo "$# [$*]"', 0, '0 []\n'],
      ['no variables of the gateway', 'set | grep -c "^gateway_"', 1, '0\n'],
      ['a kept environment', 'test -n "$HOME" && echo "$USER"', 0, `${process.env['USER'] ?? 'root'}\n`],
    ])('runs %s as a shell does', async (_, script, exitCode, output) => {
      const done = await run(script);
      expect([done.exit_code, done.output]).toEqual([exitCode, output]);
    });

    // promises: SSH-6
    it('names the signal that ended it', async () => {
      const done = await run('echo before; kill -KILL $$');
      expect(done).toMatchObject({
        output_status: 'failed',
        exit_code: 137,
        output: 'before\nThe script was ended by the signal KILL.\n',
      });
    });

    // promises: SSH-8
    it('keeps characters whole, and shows other bytes as U+FFFD, in the recording too', async () => {
      const script = `for i in 1 2 3; do printf '\\303'; sleep 0.1; printf '\\244'; done; printf '\\377\\000|\\357\\273\\277\\r\\n'; printf '\\342\\202'`;
      const done = await run(script);
      const expected = 'äää\u{fffd}\0|\u{feff}\r\n\u{fffd}';
      expect(done.output).toBe(expected);
      const recorded = await path.recording(done.session_id);
      expect(
        recorded
          .slice(1)
          .map(([, text]) => text)
          .join(''),
      ).toBe(expected);
    });

    it('has a script of many lines and characters whole', async () => {
      const lines = Array.from({ length: 20_000 }, (_, index) => `: "${index} äöü 😀 '"`);
      const done = await run([...lines, 'echo "$LINENO"'].join('\n'));
      expect([done.exit_code, done.output]).toEqual([0, '20001\n']);
    });

    it('may write 50 MB, all of which is recorded', async () => {
      const bytes = 50 * 1024 * 1024;
      const done = await run(`head -c ${bytes} /dev/zero | tr '\\0' x`);
      expect(done).toMatchObject({ output_status: 'success', exit_code: 0, truncated: true });
      const file = await path.read(done.session_id, '?extension=txt');
      expect(file.text.length).toBe(bytes);
      expect(/[^x]/.test(file.text)).toBe(false);
    });

    // promises: SSH-4
    it('runs by the command of the connection, which callers cannot change', async () => {
      const secret = path.server.secret({ SHELL_COMMAND: 'exec env STAGE=test bash -s -- one two' });
      expect((await path.ask('own-command', secret)).status).toBe(201);
      const done = await run('echo "$STAGE $1 $2"; exit 5', 'own-command');
      expect([done.exit_code, done.output]).toEqual([5, 'test one two\n']);
      for (const more of [{ env_vars: { A: 'b' } }, { client_args: ['-x'] }]) {
        const answer = await path.run('echo', { connection: 'own-command', ...more });
        expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/must be empty/)]);
      }
    });
  }),
);

describeWithSshd(
  'an SSH server that exchanges keys again and again',
  scoped((begin) => {
    const path = begin(() => startSshPath({}, ['RekeyLimit 1M']));

    it('runs a script whose output takes many exchanges', async () => {
      const bytes = 8 * 1024 * 1024;
      const { body } = await path.run(`head -c ${bytes} /dev/zero | tr '\\0' x`);
      expect(body).toMatchObject({ output_status: 'success', exit_code: 0 });
      const file = await path.read(body.session_id, '?extension=txt');
      expect([file.text.length, /[^x]/.test(file.text)]).toEqual([bytes, false]);
    });

    it('exchanges keys in the middle of a connection, and shows its host key each time', async () => {
      const ssh = await openSsh(path.server.secret());
      let exchanges = 0;
      ssh.client.on('handshake', () => (exchanges += 1));
      const channel = await ssh.open((opened) => ssh.client.exec('head -c 8000000 /dev/zero', opened));
      channel.stderr.resume();
      channel.resume();
      await once(channel, 'close');
      ssh.close();
      expect(await ssh.ended).toBeUndefined();
      expect(exchanges).toBeGreaterThan(2);
    });
  }),
);
