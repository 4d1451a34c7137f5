import { loadSqlParser } from '../../../src/languages/postgresql/parser';
import { engineFor } from '../../guardrails/corpus/judging';
import { SeededRandom } from '../../guardrails/corpus/random';
import { type Variant, allVariants } from '../../guardrails/corpus/variants';
import { describeGuardedPath } from '../../support/describe';
import type { WireClient } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const PATIENT_MS = 480_000;
const OF_A_RULE = 12;

/** Sends a part of the corpus over the wire. The verdicts must equal those of the engine. */
describeGuardedPath('the corpus of guardrails, over the wire', ({ path }) => {
  beforeAll(loadSqlParser);

  // The target refuses all texts, because they run in a failed transaction. A safe text cannot end this
  // transaction.
  const isSafe = ({ text, commits }: Variant) =>
    !commits && !text.includes('\0') && !/commit|rollback|abort|\bend\b|prepare/i.test(text);

  const verdict = (answers: readonly string[]) =>
    answers.some((line) => line.startsWith('E 42501')) ? 'block' : 'pass';
  const isFailed = async (client: WireClient): Promise<boolean> => {
    client.send(wire.query('BEGIN'), wire.query('SELECT 1 / 0'));
    return (await client.ready(2)).at(-1) === 'Z E';
  };

  it(
    'is judged by simple queries and by Parse as it is by the engine',
    async () => {
      const random = new SeededRandom(6);
      const variants = allVariants().filter(isSafe);
      const different: string[] = [];
      const counts = { block: 0, pass: 0 };
      for (const intent of new Set(variants.map((variant) => variant.intent))) {
        const mine = variants.filter((variant) => variant.intent === intent);
        for (const rule of [intent.statementRules[0], intent.textRules[0]]) {
          if (rule === undefined) continue;
          const engine = engineFor('input', [rule]);
          const { client } = await path.under({ input: { rules: [rule] } });
          // Skips rules that refuse the very statements that make the transaction fail.
          if (!(await isFailed(client))) continue;
          for (let count = 0; count < OF_A_RULE; count += 1) {
            const { text } = random.pick(mine);
            const expected = (await engine.judge(text)).kind;
            counts[expected] += 1;
            const simple = await client.ask(wire.query(text));
            const parsed = await client.ask(wire.parse(text), wire.SYNC);
            expect([simple.at(-1), parsed.at(-1)]).toEqual(['Z E', 'Z E']);
            if (verdict(simple) !== expected || verdict(parsed) !== expected)
              different.push(`${expected} ${verdict(simple)} ${verdict(parsed)}: ${text}`);
          }
        }
      }
      expect(different).toEqual([]);
      expect(counts.block).toBeGreaterThan(200);
      expect(counts.pass).toBeGreaterThan(20);
    },
    PATIENT_MS,
  );
});
