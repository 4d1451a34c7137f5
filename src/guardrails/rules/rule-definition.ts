import { AppError } from '../../kernel/app-error';
import { compileRule } from '../entries/compile-entry';
import type { GuardrailBody } from './guardrail.dto';
import { emptyFields } from '../kinds/kinds';
import type { RuleSetBody } from '../entries/rule-entry.dto';
import type { RuleEntry, RuleSet } from '../entries/rule-entry';

const MAX_RULE_BYTES = 64 * 1024;

/** Returns the rule that a request body describes. Compiles the rule once to check it. */
export function guardrailDefinition(body: GuardrailBody) {
  const rule = {
    name: body.name,
    description: body.description ?? '',
    attributes: [...new Set(body.attributes)],
    input: ruleSet(body.input),
    output: ruleSet(body.output),
  };
  if (Buffer.byteLength(JSON.stringify([rule.input, rule.output])) > MAX_RULE_BYTES) {
    throw new AppError('unprocessable', 'the rules are larger than 64 KiB');
  }
  try {
    for (const direction of ['input', 'output'] as const) compileRule({ id: '', ...rule }, direction);
  } catch (error) {
    throw new AppError('unprocessable', (error as Error).message);
  }
  return rule;
}

function ruleSet(body: RuleSetBody | undefined): RuleSet {
  return { rules: (body?.rules ?? []).map(ruleEntry) };
}

/**
 * Returns the entry as it is stored. The specification's fields are always present, other fields only when
 * they were given.
 */
function ruleEntry({ type, ...rest }: Readonly<Record<string, unknown>>): RuleEntry {
  // Generated clients send null for an absent field.
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  return { type, ...emptyFields(), ...Object.fromEntries(given) } as RuleEntry;
}
