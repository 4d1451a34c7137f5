import type { Answer, TestGateway } from './gateway';

interface RuleSet {
  rules: { type: string; words: string[]; pattern_regex: string; name?: string; message?: string }[];
}

/** A rule set with one list of denied words. */
export function denyWords(words: string[], message?: string): RuleSet {
  return {
    rules: [
      { type: 'deny_words_list', words, pattern_regex: '', ...(message === undefined ? {} : { message }) },
    ],
  };
}

/** A rule set with one pattern. */
export function denyPattern(pattern: string, message?: string): RuleSet {
  return {
    rules: [
      {
        type: 'pattern_match',
        words: [],
        pattern_regex: pattern,
        ...(message === undefined ? {} : { message }),
      },
    ],
  };
}

export function postRule(gateway: TestGateway, body: object): Promise<Answer> {
  return gateway.call('admin', 'POST', '/guardrails', body);
}

/** Creates a guardrail. Returns its id. */
export async function createRule(gateway: TestGateway, body: object): Promise<string> {
  const answer = await postRule(gateway, body);
  if (answer.status !== 201) throw new Error(`the guardrail was not created: ${answer.text}`);
  return answer.body.id as string;
}
