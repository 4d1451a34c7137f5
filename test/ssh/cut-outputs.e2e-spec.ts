import { entries } from '../support/guarded-path';
import { forAll } from '../support/for-all';
import { scoped } from '../support/scoped';
import { MASKED_OUTPUTS, MASKS, showsSecret } from '../support/ssh/cut-outputs';
import { sshFigure } from '../support/ssh/figures';
import { createRule } from '../support/guardrails';
import { playServer } from '../support/ssh/played-server';
import { describeWithPrograms, issuedLogin } from '../support/ssh/programs';
import { beginSshClients, execute } from '../support/ssh/ssh-clients';
import { someOf } from '../support/volume';

const MINUTES = 60_000;
/** Commands that run in parallel. A connection has ten channels at most. */
const AT_ONCE = 8;
/** Time between the pieces of an output, so that they arrive in packets of their own. */
const BETWEEN_MS = 2;

// promises: SSHCLIENT-6
describeWithPrograms(
  'outputs with masked texts that a server sends in pieces',
  ['sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    /** Runs the command `<number of an output> <place of the cut>`. */
    const server = begin(() =>
      playServer({
        exec: (channel, { command }) => {
          const [number = 0, at = 0] = command.split(' ').map(Number);
          const { bytes } = MASKED_OUTPUTS[number] ?? { bytes: Buffer.alloc(0) };
          channel.write(bytes.subarray(0, at));
          setTimeout(() => {
            channel.write(bytes.subarray(at));
            channel.exit(0);
            channel.end();
          }, BETWEEN_MS);
        },
      }),
    );

    it(
      'show nothing of them to a client',
      async () => {
        const { body } = await path.ask('in-pieces', server.secret());
        await createRule(path.gateway, {
          name: 'masks',
          connection_ids: [body.id],
          output: entries(
            ...MASKS.map(({ words, pattern_regex, ...entry }) => ({
              ...entry,
              ...(words.length > 0 ? { words } : {}),
              ...(pattern_regex === '' ? {} : { pattern_regex }),
            })),
          ),
        });
        const client = await path.client(await issuedLogin(path.gateway, 'in-pieces'));
        const cuts = MASKED_OUTPUTS.flatMap((output, number) =>
          Array.from({ length: output.bytes.length + 1 }, (_, at) => ({ output, number, at })),
        );
        const counts = { outputs: MASKED_OUTPUTS.length, cuts: 0, missed: 0, unmasked: 0 };
        const wrong: string[] = [];
        await forAll(someOf(cuts, 37), AT_ONCE, async ({ output, number, at }) => {
          const command = await execute(client, `${number} ${at}`, output.isTerminal ? { pty: true } : {});
          const { code, out } = await command.ended;
          counts.cuts += 1;
          const shows = showsSecret(output, Buffer.from(out));
          const isMasked = out.includes('****');
          if (shows) counts.missed += 1;
          else if (!isMasked) counts.unmasked += 1;
          if (shows || !isMasked || code !== 0) wrong.push(`${output.name}, cut at ${at}: ${code} ${out}`);
        });
        sshFigure('cuts on the way', counts);
        expect(wrong).toEqual([]);
        expect(counts.cuts).toBeGreaterThan(50);
      },
      30 * MINUTES,
    );
  }),
);
