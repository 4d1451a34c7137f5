import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerTargetKind } from '../../../src/targets/kinds';
import { IS_LONG, someOf, volume } from '../../support/volume';
import { describeGateway } from '../../support/describe';
import type { TestGateway } from '../../support/gateway';
import { createRule, postRule } from '../../support/guardrails';
import { foundFaults } from '../../support/watched-answers';
import { generatedForms } from './corpus/generated';
import { scriptsIn } from './corpus/texts';
import { SHELLS, type ShellName, VICTIM, World } from './corpus/world';
import { server } from './server-kind';

const SEED = 36;
const MINUTES = 60_000;

/** `CORPUS_FIGURES=1` prints what is measured. */
function tell(figures: object): void {
  if (process.env['CORPUS_FIGURES'] !== undefined) process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** Scripts on servers, each judged by the gateway and run by a real shell. */
describeGateway('shell_command rules', ({ gateway, begin }) => {
  const world = begin(() => World.create());
  let forget: () => void;

  beforeAll(() => {
    forget = registerTargetKind(server);
  });
  afterAll(() => forget());
  // The API description contains only the shipped kinds of targets, so answers with this kind violate it.
  afterEach(() =>
    expect(foundFaults().filter((fault) => !fault.includes('/subtype must be equal'))).toEqual([]),
  );

  const entry = (more: object) => ({ type: 'shell_command', ...more });
  let count = 0;

  /** Connects a folder with a victim, under a rule with these entries. */
  const serverUnder = async (shell: ShellName, ...rules: object[]) => {
    const folder = await world.place();
    const name = `server-${(count += 1)}`;
    const { id } = await connect(gateway, name, { FOLDER: folder, SHELL: shell });
    const input = { rules };
    if (rules.length > 0) await createRule(gateway, { name: `rule-${count}`, connection_ids: [id], input });
    const run = async (script: string) =>
      (await gateway.call('admin', 'POST', '/sessions', { connection: name, script })).body;
    return { id, name, folder, run, isThere: () => existsSync(join(folder, VICTIM)) };
  };

  // promises: GUARDRAIL-27
  it('refuse what they forbid; the person sees the message, auditors the fact', async () => {
    const { run, isThere } = await serverUnder(
      'bash',
      entry({ programs: ['rm'], message: 'We keep our files.' }),
    );
    const script = `ls; sudo -n "r"m ${VICTIM}`;
    const answer = await run(script);
    expect(answer).toMatchObject({ output_status: 'blocked', exit_code: 254, output: 'We keep our files.' });
    expect(isThere()).toBe(true);
    const { body } = await gateway.call('auditor', 'GET', `/sessions/${answer.session_id}`);
    expect(body.guardrails_info).toEqual([
      expect.objectContaining({
        matched_words: ['program rm'],
        matches: [{ start: 4, end: script.length, text: 'program rm' }],
      }),
    ]);
    expect(await run('echo rm')).toMatchObject({ output_status: 'success', output: 'rm\n' });
  });

  // promises: GUARDRAIL-27, GUARDRAIL-28
  it('refuse scripts that hide what they run, unless the entry allows them', async () => {
    const strict = await serverUnder('dash', entry({ programs: ['rm'] }));
    const lax = await serverUnder('dash', entry({ programs: ['rm'], hidden_commands: 'allow' }));
    for (const script of [`x=echo; $x hi`, `eval "$(echo echo hi)"`, `echo 'echo hi' | sh`]) {
      expect([script, (await strict.run(script)).output_status]).toEqual([script, 'blocked']);
      expect([script, await lax.run(script)]).toEqual([script, expect.objectContaining({ output: 'hi\n' })]);
    }
    expect(await lax.run(`rm ${VICTIM}`)).toMatchObject({ output_status: 'blocked' });
    expect(lax.isThere()).toBe(true);
  });

  // promises: GUARDRAIL-27
  it('look at arguments and redirections', async () => {
    const { run, folder, isThere } = await serverUnder(
      'bash',
      entry({ programs: ['rm'], program_arguments: ['-r'] }),
      entry({ redirects_to: ['/etc/*'] }),
    );
    expect(await run(`rm -fr ${VICTIM}`)).toMatchObject({ output_status: 'blocked' });
    expect(await run('echo x > /etc/gateway-test')).toMatchObject({ output_status: 'blocked' });
    expect(existsSync('/etc/gateway-test')).toBe(false);
    expect(await run('echo x > kept')).toMatchObject({ output_status: 'success' });
    expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('x\n');
    expect(isThere()).toBe(true);
    expect(await run(`rm -f ${VICTIM}`)).toMatchObject({ output_status: 'success' });
    expect(isThere()).toBe(false);
  });

  it('judge long scripts too, in a thread, whatever hides at their end', async () => {
    const { run, isThere } = await serverUnder('bash', entry({ programs: ['rm'] }));
    const filler = Array.from({ length: 4_000 }, (_, line) => `echo ${line} > /dev/null`).join('\n');
    expect(await run(`${filler}\nr\\m ${VICTIM}`)).toMatchObject({ output_status: 'blocked' });
    expect(isThere()).toBe(true);
    expect(await run(`${filler}\necho ran`)).toMatchObject({ output_status: 'success', output: 'ran\n' });
  });

  it('come beside words and patterns, which read what the shell makes of a script', async () => {
    const words = { type: 'deny_words_list', words: ['drop it'] };
    const pattern = { type: 'pattern_match', pattern_regex: '^wipe' };
    const { run } = await serverUnder('bash', words, pattern);
    for (const script of [`d''rop\\\n  i\\t`, `ls; "w"ipe /x`, 'echo $(w\\ipe x)'])
      expect([script, (await run(script)).output_status]).toEqual([script, 'blocked']);
    expect((await run('echo "do not wipe"')).output_status).toBe('success');
  });

  // promises: GUARDRAIL-29
  it('have no effect on connections of another language, and saving tells it', async () => {
    const { id, name } = await serverUnder('bash');
    const secret = { HOST: '127.0.0.1', PORT: '1', USER: 'x', DB: 'x' };
    const body = { name: 'orders', type: 'database', subtype: 'postgres', secret };
    const orders = (await gateway.call('admin', 'POST', '/connections', body)).body;
    const rules = [entry({ programs: ['rm'] }), { type: 'sql_statement', kinds: ['drop'] }];
    const rule = { name: 'both', connection_ids: [id, orders.id], input: { rules } };
    expect((await postRule(gateway, rule)).body.warnings).toEqual([
      'shell_command entries (input.rules 0) have no effect on orders',
      `sql_statement entries (input.rules 1) have no effect on ${name}`,
    ]);
  });

  it('are tried in a dry run of a shell script', async () => {
    const rule = { name: 'draft', input: { rules: [entry({ programs: ['rm'] })] } };
    const dryRun = async (more: object) =>
      (await gateway.call('auditor', 'POST', '/guardrails/dry-run', { rule, direction: 'input', ...more }))
        .body;
    expect(await dryRun({ text: 'ls; r\\m x', language: 'shell' })).toMatchObject({
      verdict: 'block',
      hits: [{ start: 4, end: 9, matched: 'program rm' }],
    });
    expect(await dryRun({ text: 'ls; r\\m x' })).toMatchObject({ verdict: 'pass' });
  });

  // promises: GUARDRAIL-27, GUARDRAIL-28
  it(
    'are evaded by no form of a forbidden program, of those that a shell runs',
    async () => {
      const written = someOf(scriptsIn('forms.txt'), 16);
      const generated = generatedForms('rm', VICTIM, volume(60, 1_200), SEED).map(({ text }) => text);
      const forms = [...written, ...generated];
      const figures = { forms: forms.length, seen: 0, hidden: 0, bash: 0, dash: 0, effective: 0 };
      /** Number of runs that only a hidden command gave away, by the first reason. */
      const classes: Record<string, number> = {};
      const evading: [string, ShellName][] = [];
      for (const shell of SHELLS) {
        const { name, run, isThere } = await serverUnder(shell, entry({ programs: ['rm'] }));
        for (const form of forms) {
          if (!(await world.hasEffect(shell, form))) continue;
          figures[shell] += 1;
          const { output_status: status, session_id: id } = await run(form);
          if (status !== 'blocked' || !isThere()) evading.push([form, shell]);
          const { body } = await gateway.call('auditor', 'GET', `/sessions/${id as string}`);
          const facts = (body.guardrails_info as { matched_words: string[] }[]).flatMap(
            (hit) => hit.matched_words,
          );
          if (facts.some((fact) => !fact.startsWith('hidden command'))) figures.seen += 1;
          else {
            figures.hidden += 1;
            const [reason = ''] = facts;
            classes[reason] = (classes[reason] ?? 0) + 1;
          }
          expect([name, isThere()]).toEqual([name, true]);
        }
      }
      figures.effective = evading.length;
      tell({ ...figures, classes });
      expect(evading).toEqual([]);
      // Most forms work in the shell that they are written for.
      expect(figures.bash).toBeGreaterThan(0.8 * forms.length);
      expect(figures.dash).toBeGreaterThan(0.4 * forms.length);
      if (IS_LONG) expect(forms.length).toBeGreaterThan(1_000);
    },
    30 * MINUTES,
  );

  it('let pass what administrators run all day', async () => {
    const { name } = await serverUnder(
      'bash',
      entry({ programs: ['mkfs*', 'shutdown', 'reboot', 'dd', 'wipefs', 'userdel'] }),
      entry({ programs: ['rm'], program_arguments: ['-r', '/etc/*'] }),
      entry({ redirects_to: ['/etc/passwd', '/etc/shadow', '/dev/sda'] }),
    );
    const scripts = scriptsIn('ordinary.txt');
    expect(scripts.length).toBeGreaterThan(200);
    const refused: unknown[] = [];
    for (const script of someOf(scripts, 2)) {
      // Only judged: they would change this machine.
      const { body } = await gateway.call('admin', 'POST', `/connections/${name}/script-check`, { script });
      if (body.verdict !== 'pass') refused.push([script, body]);
    }
    expect(refused).toEqual([]);
  });
});

async function connect(gateway: TestGateway, name: string, secret: object): Promise<{ id: string }> {
  const body = { name, type: 'application', subtype: 'server', secret };
  const { status, body: made, text } = await gateway.call('admin', 'POST', '/connections', body);
  if (status !== 201) throw new Error(`the connection was not created: ${text}`);
  return made as { id: string };
}
