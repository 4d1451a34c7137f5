import { emptyObject, type Json, writeJson } from '../../kernel/json/json';
import { asText, type Text } from '../../kernel/text/long-text';

/** A text for rules to judge, in the language `tool-call`. */
export interface JudgedCall {
  readonly text: Text;
  readonly as: 'input';
}

/** Name of the field of a judged call that contains the arguments. */
export const ARGUMENTS = 'arguments';

/**
 * Returns a call as rules judge it: the JSON of its name (of a tool, prompt or resource) and its arguments.
 * The arguments keep the caller's order, because a tool may join parts in this order.
 */
export function judgedCall(name: string, args: Json): JudgedCall[] {
  const call = emptyObject();
  call[ARGUMENTS] = args;
  call['name'] = name;
  return [{ text: asText(Buffer.from(writeJson(call))), as: 'input' }];
}
