import { FAULT_MESSAGE } from '../../../gate/refusal';
import type { Session } from '../../../gate/session';
import type { McpPolicy, Target } from '../../../gate/ports/target-directory';
import { isAllowed, isAllowedUri } from '../lists/globs';
import { isObject } from '../../../kernel/json/json';
import { judgedCall } from '../../../languages/tool-call/judged-call';
import type { UpstreamError, UpstreamRequest } from '../../../targets/mcp/upstream';
import { type Admittance, type Course, answeredBy } from './course';
import { GATEWAY_ERRORS, NOT_A_NAME, errorAnswer, unknownPrompt, unknownResource } from '../http/refusals';
import { recordedRequest } from './recorded-request';

/** Admits a request that calls no tool: checks it by policy and guardrails, and records it. */
export async function admitOther(
  session: Session,
  { mcp }: Target,
  serial: number,
  request: UpstreamRequest,
  course: Course,
): Promise<Admittance> {
  const text = recordedRequest(serial, request);
  const absent = mcp === null ? undefined : notAllowed(mcp, request);
  if (absent !== undefined) {
    session.refuse(absent.message, { content: text, kind: 'statement' });
    await session.inputsDurable();
    return answeredBy({ kind: 'error', error: absent });
  }
  const { responses = {} } = request.continuation ?? {};
  const judged = judgedCall(request.method, { ...request.params, inputResponses: responses });
  const admission = await session.admitAhead({ kind: 'statement', text, judged });
  if (admission.kind === 'forward') {
    await session.inputsDurable();
    return { kind: 'admitted' };
  }
  if (admission.kind === 'pending') return answeredBy(errorAnswer(GATEWAY_ERRORS.refused, FAULT_MESSAGE));
  course.verdict = admission.reason === 'guardrail' ? 'blocked' : 'refused';
  return answeredBy(errorAnswer(GATEWAY_ERRORS.refused, admission.message));
}

/** Returns an error if the policy denies the prompt or resource: the error for one that does not exist. */
function notAllowed(
  { prompts, resources }: McpPolicy,
  { method, params }: UpstreamRequest,
): UpstreamError | undefined {
  const isCompletion = method === 'completion/complete';
  const named = isCompletion ? params['ref'] : params;
  if (!isObject(named)) return undefined;
  const { name, uri } = named;
  // Refuses names that are not texts, because a server may convert an array or a number to a text.
  for (const value of [name, uri]) if (value !== undefined && typeof value !== 'string') return NOT_A_NAME;
  if ((isCompletion || method === 'prompts/get') && typeof name === 'string' && !isAllowed(prompts, name))
    return unknownPrompt(name);
  if (
    (isCompletion || method === 'resources/read') &&
    typeof uri === 'string' &&
    !isAllowedUri(resources, uri)
  )
    return unknownResource(uri);
  return undefined;
}
