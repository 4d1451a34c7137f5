import type { CallCommand, JudgedText } from '../../../gate/command';
import { matchesVisibly } from '../lists/globs';
import type { Json, JsonObject } from '../../../kernel/json/json';
import type { Principal } from '../../../kernel/principal';
import { judgedCall } from '../../../languages/tool-call/judged-call';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import type { UpstreamRequest } from '../../../targets/mcp/upstream';
import { reviewedCall } from './call-hash';
import type { CallLimits } from './call-limits';
import type { ClientAnswer } from '../client/client-answer';
import type { VisitTarget } from '../lists/current-targets';
import { type Admittance, type Course, answeredBy } from './course';
import { type HeldCallParts, HeldCalls, type ReviewedAdmission } from './held-calls';
import type { RequestingClient } from '../client/requesting-client';
import { errorAnswer, toolError, unknownTool } from '../http/refusals';
import { recordedRequest } from './recorded-request';
import type { OfferedTool, ToolDirectory } from '../lists/tool-directory';

/** Services and state for the admission of tool calls. */
export interface ToolCallParts extends HeldCallParts {
  readonly principal: Principal;
  readonly target: VisitTarget;
  readonly tools: ToolDirectory;
  readonly limits: CallLimits;
}

/**
 * Admits tool calls: finds the tool, checks policy and limits, judges the call by the guardrails, records it,
 * and waits for a review where one is required.
 */
export class ToolCalls {
  private readonly held: HeldCalls;

  constructor(private readonly parts: ToolCallParts) {
    this.held = new HeldCalls(parts);
  }

  /** @param isResumed whether the request continues an approved call, so that it needs no new review */
  async admit(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    isResumed: boolean,
  ): Promise<Admittance> {
    const { session, tools } = this.parts;
    const { name, arguments: args = {}, ...others } = request.params;
    const text = recordedRequest(serial, request);
    const refuse = async (why: string, answer: Parameters<typeof answeredBy>[0]): Promise<Admittance> => {
      session.refuse(why, { content: text, kind: 'statement' });
      await session.inputsDurable();
      return answeredBy(answer);
    };
    if (typeof name !== 'string') {
      const why = '"name" of a tools/call is not a string';
      return refuse(why, errorAnswer(RPC_ERRORS.invalidParams, why));
    }
    const tool = await tools.find(name);
    if (tool === undefined) return refuse(`Unknown tool: ${name}`, unknownTool(name));
    const disagreement = client.disagreement?.(tool, args);
    if (disagreement !== undefined)
      return refuse(disagreement, errorAnswer(RPC_ERRORS.headerMismatch, disagreement));
    const notNow = await this.notNow(name, tool);
    if (notNow !== undefined) return refuse(notNow, toolError(notNow));
    const judged = [
      ...judgedCall(name, args),
      // The other parameters are checked by the guardrails too, because servers may read them.
      ...judgedBeside('params', others),
      ...judgedBeside('inputResponses', request.continuation?.responses ?? {}),
    ];
    const admission: ReviewedAdmission = isResumed
      ? await session.admitAhead({ kind: 'statement', text, judged })
      : await this.reviewed(serial, this.commandOf(name, tool, args, text, judged, client), tool, client);
    if (admission.kind !== 'forward') return answeredBy(this.unadmitted(admission, course));
    await session.inputsDurable();
    return { kind: 'admitted', tool, over: admission.over };
  }

  private commandOf(
    name: string,
    { state: { fingerprint } }: OfferedTool,
    args: Json,
    text: string,
    judged: readonly JudgedText[],
    { opened }: RequestingClient,
  ): CallCommand {
    const target = this.parts.target.now;
    const principal = this.parts.principal.userId;
    const called = { connection: target.id, tool: name, fingerprint, arguments: args, principal };
    return {
      kind: 'call',
      text,
      judged,
      call: reviewedCall(called, opened?.id),
      mustReview: target.mcp !== null && matchesVisibly(target.mcp.tools.approval, name),
    };
  }

  private async reviewed(
    serial: number,
    command: CallCommand,
    tool: OfferedTool,
    client: RequestingClient,
  ): Promise<ReviewedAdmission> {
    const { session } = this.parts;
    const admission = await session.admitCall(command);
    if (admission.kind !== 'pending') return admission;
    // After the review, checks tool and policy again, because both may have changed meanwhile.
    return this.held.wait(serial, admission.reviewId, client, async () => {
      const changed = await this.changedMeanwhile(command.call.name, tool);
      if (changed === undefined) return session.admitCall({ ...command, isRecorded: true });
      session.refuse(changed);
      return { kind: 'refused', reason: 'access', message: changed };
    });
  }

  /**
   * Returns the reason if a held call must not continue; undefined if it may. Runs before the approval of the
   * call is claimed. @throws AppError `not_found`
   */
  private async changedMeanwhile(name: string, { state }: OfferedTool): Promise<string | undefined> {
    await this.parts.target.refresh();
    const now = await this.parts.tools.find(name);
    if (now === undefined) return `Unknown tool: ${name}`;
    if (now.state.status === 'accepted' && now.state.fingerprint === state.fingerprint) return undefined;
    return `The tool ${name} has changed since the call was held. Nothing has run.`;
  }

  /** Returns the reason if a known tool cannot be called now; undefined if it can. */
  private notNow(name: string, { state }: OfferedTool): MaybePromise<string | undefined> {
    const { limits, principal, target } = this.parts;
    switch (state.status) {
      case 'accepted':
        return limits.exceeded(principal, target.now, name);
      case 'held':
        return `The tool ${name} is new, and this connection holds new tools until an admin accepts them.`;
      case 'changed':
        return `The tool ${name} has changed since it was accepted, and is paused until an admin accepts it.`;
    }
  }

  private unadmitted(
    admission: Exclude<ReviewedAdmission, { kind: 'forward' }>,
    course: Course,
  ): ClientAnswer {
    if (admission.kind === 'refused') {
      course.verdict = admission.reason === 'guardrail' ? 'blocked' : 'refused';
      return toolError(admission.message);
    }
    const { reviewId } = admission;
    course.verdict = 'pending';
    course.reviewId = reviewId;
    if (admission.kind === 'page') return admission;
    const page = this.parts.reviewPage(reviewId);
    return toolError(
      `This call waits for an approval: review ${reviewId} (${page}). Nothing has run. Once it is approved, repeat the same call.`,
    );
  }
}

/** Returns the texts to judge in call members other than `arguments`. Most calls have no such members. */
function judgedBeside(name: string, given: JsonObject): JudgedText[] {
  return Object.keys(given).length === 0 ? [] : judgedCall(name, given);
}
