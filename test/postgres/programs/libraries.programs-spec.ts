import { appendFileSync } from 'node:fs';
import { createRule } from '../../support/guardrails';
import { describeScoped } from '../../support/describe';
import { freshDatabase } from '../../support/database';
import { connect } from '../../support/target';
import { DENIED, DENIED_MESSAGE, WITHHELD, startWirePath, wayTo } from '../../support/wire-path';
import { entries } from '../../support/guarded-path';
import { PROGRAMS, type Program, Programs, outcomeOf } from './programs';

/** Time limit of a test. It includes the time to download the program from its registry. */
const PATIENCE_MS = 1_200_000;
const { WIRE_REPORT } = process.env;
const STATEMENT_MESSAGE = 'Not here.';
/** Start of the refusal when a program opens another database. A connection leads to only one database. */
const OTHER_DATABASE = 'These credentials open the database "OWN"';
/** A number that rules mask. A program reads `MASKED` instead. */
const NUMBER = '536-90-4399';
const MASKED = '****';

/** Rules for all programs: words, statements and masks. The masks match no value that programs compare. */
function rulesOf({ rule }: Program): object {
  const statements =
    rule === 'drops are refused'
      ? { kinds: ['drop', 'grant'], without_where: true }
      : { kinds: ['grant'], without_where: true, tables: [{ name: 'salaries', access: 'any' }] };
  return {
    input: entries(
      { type: 'sql_statement', ...statements, message: STATEMENT_MESSAGE },
      { type: 'deny_words_list', words: [DENIED], message: DENIED_MESSAGE },
    ),
    output: entries(
      { type: 'deny_words_list', words: [WITHHELD] },
      { type: 'detector', detectors: ['us_ssn', 'aws_key'], action: 'mask' },
    ),
  };
}

const report = (line: object): void => {
  if (WIRE_REPORT !== undefined) appendFileSync(WIRE_REPORT, `${JSON.stringify(line)}\n`);
};

/** `npm run test:wire`: runs third-party programs directly and through the gateway. */
// promises: PROXY-1, DATABASE-1
describeScoped('programs of others, with rules on', (begin) => {
  const programs = begin(() => Programs.begin());
  const path = begin(() => startWirePath());

  it.each(PROGRAMS.map((program) => [program.name, program] as const))(
    '%s sees the same through the gateway, and its own error where a statement is refused',
    async (name, program) => {
      const absent = await program.absent();
      if (absent !== undefined) {
        process.stderr.write(`\n  not tried, for want of ${absent}: ${name}\n`);
        report({ program: name, absent });
        return;
      }
      const command = await program.install(programs);
      const [target, twin] = [await freshDatabase('empty'), await freshDatabase('empty')];
      try {
        const id = await connect(path.gateway, target, name.toLowerCase().replaceAll(/\W+/g, '-'));
        await createRule(path.gateway, { name, connection_ids: [id], ...rulesOf(program) });
        const direct = await outcomeOf(command, wayTo(twin), programs.scratch());
        const through = await outcomeOf(command, await path.issue(id), programs.scratch());

        expect(through.seen).toEqual(direct.seen);
        // Two empty results would also be equal, so this requires at least 8 checks.
        expect(Object.keys(direct.seen).length).toBeGreaterThanOrEqual(8);
        expect(direct.refused.every((one) => one === null)).toBe(true);
        expect(through.refused.map((one) => one?.join(' '))).toEqual(
          through.refused.map(() =>
            expect.stringMatching(new RegExp(`${STATEMENT_MESSAGE}|${DENIED_MESSAGE}|${OTHER_DATABASE}`)),
          ),
        );
        expect(through.refused.length).toBeGreaterThanOrEqual(2);
        expect(direct.masked ?? []).toEqual((through.masked ?? []).map(() => NUMBER));
        expect(through.masked ?? []).toEqual((direct.masked ?? []).map(() => MASKED));
        report({
          program: name,
          versions: through.versions,
          checks: Object.keys(direct.seen).length,
          refused: through.refused.length,
        });
      } finally {
        await target.drop();
        await twin.drop();
      }
    },
    PATIENCE_MS,
  );
});
