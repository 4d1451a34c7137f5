import { AppError } from '../kernel/app-error';
import { compileRule } from './compiled-rules';
import type { GuardrailBody, RuleEntryBody, RuleSetBody } from './guardrail.dto';
import type { RuleEntry, RuleSet } from './rule-entry';

const MAX_RULE_BYTES = 64 * 1024;

/** What a body says of a rule, checked by compiling it. */
export function definitionOf(body: GuardrailBody) {
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
    compileRule({ id: '', ...rule });
  } catch (error) {
    throw new AppError('unprocessable', (error as Error).message);
  }
  return rule;
}

function ruleSet(body: RuleSetBody | undefined): RuleSet {
  return { rules: (body?.rules ?? []).map(ruleEntry) };
}

/** As it is stored: the two lists are always there, name and message only when given. */
function ruleEntry({ type, words, pattern_regex, name, message }: RuleEntryBody): RuleEntry {
  return {
    type,
    words: words ?? [],
    pattern_regex: pattern_regex ?? '',
    // Generated clients send null for what is absent.
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
