import { RE2JS, RE2Set } from 're2js';
import { reliedOn } from '../../../test/support/relied-on';
import { EMPTY_WIDTH, MATCH, RUNE, beforeReset, programOf } from './re2-parts';

const relied = reliedOn('re2js', 'src/guardrails/matching/re2-parts.ts');

/** Returns the instructions, in order, of the compiled program of a pattern without alternatives. */
function stepsOf(pattern: string): unknown[] {
  const program = programOf(RE2JS.compile(pattern));
  const steps: unknown[] = [];
  for (let step = program?.inst[program.start]; step !== undefined; step = program?.inst[step.out]) {
    if (step.op === MATCH) return [...steps, 'match'];
    steps.push(
      step.op >= RUNE ? Array.from(step.runes) : step.op === EMPTY_WIDTH ? `border ${step.arg}` : step.op,
    );
  }
  return steps;
}

describe('the private parts of re2js', () => {
  it.each<[string, unknown[]]>([
    ['ab', [[97], [98], 'match']],
    ['[a-c]', [[97, 99], 'match']],
    ['\\Aa', ['border 4', [97], 'match']],
    ['a\\z', [[97], 'border 8', 'match']],
    ['(a)', [3, [97], 3, 'match']],
  ])('are as they were: the steps of %s', (pattern, steps) => {
    relied(`re2Input.prog of ${pattern}`, stepsOf(pattern), steps);
  });

  it('are as they were: what a step matches', () => {
    const program = programOf(RE2JS.compile('(?i)k'));
    const step = program?.inst[program.start];
    relied(
      'Inst.matchRune()',
      [...'kKx'].map((one) => step?.matchRune(one.charCodeAt(0))),
      [true, true, false],
    );
  });

  it('are as they were: a set tells when it drops its states, how many they are, and can be stopped there', () => {
    const set = new RE2Set(RE2Set.UNANCHORED, 0, 64 * 1024);
    // The automaton of this pattern needs one state for each combination of the last 13 characters.
    set.add('[ab]*a[ab]{12}c');
    set.compile();
    const counts: number[] = [];
    beforeReset(set, (states) => {
      counts.push(states);
      throw new Error('stopped');
    });
    let drawn = 1;
    const draw = (): number => (drawn = (drawn * 48_271) % 2_147_483_647);
    const text = Array.from({ length: 20_000 }, () => (draw() % 2 === 0 ? 'a' : 'b')).join('');
    let stopped = 'no';
    try {
      set.match(text);
    } catch (error) {
      stopped = (error as Error).message;
    }
    relied('RE2Set.dfa.resetCache()', stopped, 'stopped');
    relied('RE2Set.dfa.stateCount', counts.length === 1 && (counts[0] ?? 0) > 10, true);
  });
});
