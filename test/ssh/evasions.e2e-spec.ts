import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'ssh2';
import { forAll } from '../support/for-all';
import { scoped } from '../support/scoped';
import { sshFigure } from '../support/ssh/figures';
import { describeWithPrograms } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';
import { IS_LONG, someOf, volume } from '../support/volume';
import { generatedForms } from '../guardrails/shell/corpus/generated';
import { scriptsIn } from '../guardrails/shell/corpus/texts';
import { VICTIM, makePlace } from '../guardrails/shell/corpus/world';

const SEED = 36;
const MINUTES = 60_000;
/** Commands that run in parallel. A connection has ten channels at most. */
const AT_ONCE = 4;
const REFUSED = 'We keep our files.\n';

// promises: GUARDRAIL-27, GUARDRAIL-28, SSHCLIENT-4
describeWithPrograms(
  'shell_command rules at a real server',
  ['sshd', 'ssh-keygen', 'bash', 'dash'],
  scoped((begin) => {
    const path = beginSshClients(begin);

    /** Makes a folder with a file that forms remove. */
    const place = async (name: string): Promise<string> => {
      const folder = join(path.server.folder, name);
      await makePlace(folder);
      return folder;
    };
    /** A form as a client of SSH sends it: the login shell of the server reads it as its command. */
    const inFolder = (folder: string, form: string): string => `cd ${folder} || exit\n${form}`;
    const run = async (client: Client, command: string) => {
      const { channel, ended } = await execute(client, command);
      // Programs that a form leaves in the background keep its output open.
      channel.once('exit', () => channel.close());
      channel.end();
      return ended;
    };

    it(
      'are evaded by no form of a forbidden program, of those that its login shell runs',
      async () => {
        const written = someOf(scriptsIn('forms.txt'), 16);
        const generated = generatedForms('rm', VICTIM, volume(40, 1_200), SEED).map(({ text }) => text);
        const forms = [...written, ...generated];
        const rule = { type: 'shell_command', programs: ['rm'], message: REFUSED.trim() };
        const [free, guarded] = await Promise.all([
          path.client(),
          path.client(await path.under({ input: { rules: [rule] } })),
        ]);
        const counts = { forms: forms.length, effective_without_rule: 0, effective: 0, unanswered: 0 };
        const evading: string[] = [];
        await forAll(forms.entries(), AT_ONCE, async ([index, form]) => {
          const before = await place(`free-${index}`);
          await run(free, inFolder(before, form));
          if (existsSync(join(before, VICTIM))) return;
          counts.effective_without_rule += 1;
          const folder = await place(`guarded-${index}`);
          const { code, err } = await run(guarded, inFolder(folder, form));
          if (!existsSync(join(folder, VICTIM))) evading.push(form);
          if (code !== 254 || err !== REFUSED) counts.unanswered += 1;
        });
        counts.effective = evading.length;
        sshFigure('evasions', counts);
        expect(evading).toEqual([]);
        expect(counts.unanswered).toBe(0);
        expect(counts.effective_without_rule).toBeGreaterThan(0.7 * forms.length);
        if (IS_LONG) expect(forms.length).toBeGreaterThan(1_000);
      },
      40 * MINUTES,
    );
  }),
);
