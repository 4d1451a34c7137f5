import { emptyObject, type Json, writeJson } from '../../kernel/json/json';
import { asText, type Text } from '../../kernel/text/long-text';

/** A text for rules to judge, in the language `tool-call`. */
export interface JudgedCall {
  readonly text: Text;
  readonly as: 'input';
}

/** Name of the field of a judged call under which its arguments are. */
export const ARGUMENTS = 'arguments';

/**
 * A call as rules judge it: the JSON of its name (of a tool, a prompt, a resource) and its arguments, in the
 * order of the caller, since a tool may put parts together in this order.
 */
export function judgedCall(name: string, args: Json): JudgedCall[] {
  const call = emptyObject();
  call[ARGUMENTS] = args;
  call['name'] = name;
  return [{ text: asText(Buffer.from(writeJson(call))), as: 'input' }];
}
