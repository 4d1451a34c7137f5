import { words } from '../../../../test/support/rule-entries';
import { sessionUnder } from '../../../../test/support/gated-session';
import { engineOf } from '../../../../test/support/screening';
import type { GuardrailSet } from '../../../gate/ports/guardrails';
import type { GuardrailEngine } from '../../../guardrails/engine/guardrail-engine';
import type { SessionPrinting } from '../binary/session-printing';
import { Descriptions } from './descriptions';
import { PipelineState } from '../pipeline/pipeline-state';
import { columnsOf } from '../wire/columns';
import { HEAD_BYTES, int32, message, text } from '../wire/message';
import { DESCRIBE } from '../wire/types';

const AFTER_NAME = Buffer.concat([
  int32(0),
  Buffer.of(0, 0),
  int32(25),
  Buffer.of(0, 4),
  int32(-1),
  Buffer.of(0, 0),
]);

function rowDescription(...names: string[]) {
  const columns = names.flatMap((name) => [text(name), AFTER_NAME]);
  const bytes = message('T', Buffer.of(0, names.length), ...columns);
  return { bytes, start: 0, end: bytes.length };
}

/** Row descriptions of a session. The test can change the rules. `asked` counts calls of `mayTouch`. */
function sessionOver(first: GuardrailEngine) {
  const state = { rules: first, asked: 0 };
  const counted = new Map<GuardrailEngine, GuardrailSet>();
  const { session } = sessionUnder(() => {
    const { rules } = state;
    const known = counted.get(rules);
    if (known !== undefined) return known;
    const counting: GuardrailSet = {
      judgesInput: true,
      screensOutput: true,
      judge: (...input) => rules.judge(...input),
      openScreen: () => rules.openScreen(),
      mayTouch: (lines) => {
        state.asked += 1;
        return rules.mayTouch(lines);
      },
    };
    counted.set(rules, counting);
    return counting;
  });
  const pipelineState = new PipelineState();
  const descriptions = new Descriptions(session, pipelineState, {} as SessionPrinting);
  const describe = async (...names: string[]): Promise<string[] | 'as it came'> => {
    await session.askForRules();
    pipelineState.sent({ kind: DESCRIBE });
    const instead = await descriptions.ofDescribe(rowDescription(...names));
    if (instead === undefined) return 'as it came';
    return columnsOf(instead, HEAD_BYTES, instead.length).map(({ name }) => name);
  };
  return { state, describe };
}

describe('descriptions of results', () => {
  const open = engineOf(words(['nothing'], { action: 'mask' }));

  it('are looked at once for as long as the rules are the same', async () => {
    const { state, describe } = sessionOver(open);
    for (let round = 0; round < 3; round++) {
      expect(await describe('id', 'canary')).toBe('as it came');
      expect(await describe('id')).toBe('as it came');
    }
    expect(state.asked).toBe(2);
  });

  it('are looked at again when the rules are others', async () => {
    const { state, describe } = sessionOver(open);
    expect(await describe('id', 'canary')).toBe('as it came');
    state.rules = engineOf(words(['canary'], { action: 'mask' }));
    for (let round = 0; round < 2; round++) expect(await describe('id', 'canary')).toEqual(['id', '****']);
    state.rules = engineOf(words(['canary']));
    expect(await describe('id', 'canary')).toEqual(['****', '****']);
    state.rules = open;
    expect(await describe('id', 'canary')).toBe('as it came');
  });

  it('are not remembered without an end', async () => {
    const { state, describe } = sessionOver(open);
    for (let index = 0; index < 250; index++) await describe(`column_${index}`);
    expect(await describe('column_0')).toBe('as it came');
    expect(state.asked).toBe(251);
    const large = 'x'.repeat(5_000);
    for (let round = 0; round < 2; round++) expect(await describe(large)).toBe('as it came');
    expect(state.asked).toBe(253);
  });
});
