import type { Mask } from '../../src/gate/ports/guardrails';
import { GuardrailEngine } from '../../src/guardrails/engine/guardrail-engine';
import type { RuleEntry } from '../../src/guardrails/entries/rule-entry';
import { hereInstead } from './rule-entries';
import { plainText } from '../../src/languages/plain';

/** Returns a guardrail engine with these entries for output. */
export function engineOf(...entries: RuleEntry[]): GuardrailEngine {
  const rule = { id: '1', name: 'r', input: { rules: [] }, output: { rules: entries } };
  return new GuardrailEngine([rule], plainText, hereInstead);
}

export interface Outcome {
  released: string;
  blocked: boolean;
  masks: Mask[];
}

/** Screens a stream that arrives in pieces. @param as `lines` if each piece consists of whole lines. */
export async function screen(
  engine: GuardrailEngine,
  pieces: readonly string[],
  as: 'text' | 'lines' = 'text',
): Promise<Outcome> {
  const open = engine.openScreen();
  const outcome: Outcome = { released: '', blocked: false, masks: [] };
  const push = (piece: string) => (as === 'text' ? open.push(piece) : open.pushLines(Buffer.from(piece)));
  for (const step of [...pieces.map((piece) => () => push(piece)), () => open.finish()]) {
    const screened = await step();
    if (screened.kind === 'block') return { ...outcome, blocked: true };
    outcome.released += screened.text;
    outcome.masks.push(...screened.masks);
  }
  return outcome;
}

/** Cuts a text into pieces at these positions (modulo its length plus one). */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

/** Returns the text after all masks are applied. */
export function applied(text: string, masks: readonly Mask[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, replacement } of masks) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
