import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { createRule, denyPattern, denyWords } from '../support/guardrails';
import { scoped } from '../support/scoped';
import { describeWithSshd, isRunning } from '../support/ssh/open-ssh-server';
import { startSshPath } from '../support/ssh/ssh-path';
import { type Approvals, approvalsOn, approve } from '../support/waiting-scripts';

const NOT_HERE = 'Not on this server.';

describeWithSshd(
  'rules on an SSH server',
  scoped((begin) => {
    const path = begin(() => startSshPath());
    let on: Approvals;
    let count = 0;

    beforeAll(() => {
      on = approvalsOn(path);
    });

    const marked = () => {
      const file = join(path.server.folder, `mark-${(count += 1)}`);
      return { file, script: `touch ${file}` };
    };
    const guarded = async (name: string, rule: object) => {
      const id = await path.connect(name);
      await createRule(path.gateway, { name: `rule-of-${name}`, ...rule, connection_ids: [id] });
    };

    // promises: SSH-9
    it.each([
      ['words', denyWords(['shutdown now'], NOT_HERE)],
      ['pattern', denyPattern('shutdown\\s+now', NOT_HERE)],
    ])('block a script by %s before anything reaches the server', async (kind, input) => {
      const connection = `blocked-by-${kind}`;
      await guarded(connection, { input });
      const { file, script } = marked();
      const connections = () => path.server.log().split('Connection from').length;
      const before = connections();
      for (const text of [`${script}\nshutdown now`, `${script}\nshutdown \t now`]) {
        const { body } = await path.run(text, { connection });
        expect(body).toMatchObject({ output_status: 'blocked', exit_code: 254, output: NOT_HERE });
        expect(await path.recording(body.session_id)).toEqual([
          ['i', text],
          ['e', `${NOT_HERE}\n`],
        ]);
        const check = await path.gateway.call('admin', 'POST', `/connections/${connection}/script-check`, {
          script: text,
        });
        expect([check.status, check.body]).toMatchObject([200, { verdict: 'block' }]);
      }
      expect(connections()).toBe(before);
      expect(existsSync(file)).toBe(false);
      expect((await path.run(script, { connection })).body.exit_code).toBe(0);
      expect(existsSync(file)).toBe(true);
    });

    // promises: SSH-9
    it('mask output, however it is cut into pieces', async () => {
      await guarded('masked', {
        output: {
          rules: [{ type: 'pattern_match', words: [], pattern_regex: 'secret-[0-9]+', action: 'mask' }],
        },
      });
      const script =
        'for part in a se cr et -1 2 3 b; do printf "$part"; sleep 0.05; done; echo; echo secret-9 >&2';
      const { body } = await path.run(script, { connection: 'masked' });
      expect(body.exit_code).toBe(0);
      expect(body.output).not.toMatch(/secret-\d/);
      expect(body.output).toMatch(/^a\S+b\n/);
      const recorded = (await path.recording(body.session_id)).slice(1).map(([, text]) => text);
      expect(recorded.join('')).toBe(body.output);
    });

    // promises: SSH-7, SSH-9
    it('stop a script at output that must not be seen', async () => {
      await guarded('withheld', { output: denyWords(['top secret'], NOT_HERE) });
      const { file, script } = marked();
      const pidFile = `${file}.pid`;
      const { body } = await path.run(
        `echo $$ > ${pidFile}; echo "top secret"; head -c 100000 /dev/zero; sleep 1000; ${script}`,
        { connection: 'withheld' },
      );
      expect(body).toMatchObject({ output_status: 'blocked', exit_code: 254, output: NOT_HERE });
      expect(existsSync(file)).toBe(false);
      const pid = Number(readFileSync(pidFile, 'utf8'));
      await eventually('it no longer runs', () => !isRunning(pid));
    });

    // promises: SSH-9
    it('let a script that people approved run once, exactly as it was approved', async () => {
      const connection = await on.reviewed();
      const { file, script } = marked();
      const { id, review } = await on.ask(script, connection);
      expect(existsSync(file)).toBe(false);
      expect((await on.exec(id)).status).toBe(409);
      await approve(path.gateway, review);
      const other = await on.exec(id, 'alice', { script: `${script} ` });
      expect(other.status).toBe(409);
      expect(existsSync(file)).toBe(false);
      const answer = await on.exec(id, 'alice', { script });
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { output_status: 'success', exit_code: 0, review_id: review },
      ]);
      expect(existsSync(file)).toBe(true);
      expect((await on.exec(id)).status).toBe(409);
      expect((await path.read(id, '/verify')).body).toMatchObject({ status: 'valid', faults: [] });
    });
  }),
);
