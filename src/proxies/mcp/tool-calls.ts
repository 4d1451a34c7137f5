import type { CallAdmission } from '../../gate/approval';
import type { CallCommand, JudgedText } from '../../gate/command';
import type { Session } from '../../gate/session';
import { matchesVisibly } from '../../kernel/globs';
import { type Json, writeJson } from '../../kernel/json/json';
import type { Principal } from '../../kernel/principal';
import { judgedCall } from '../../languages/tool-call/judged-call';
import { RPC_ERRORS } from '../../targets/mcp/protocol/rpc-errors';
import type { UpstreamRequest } from '../../targets/mcp/upstream';
import { callHash } from './call-hash';
import type { CallLimits } from './call-limits';
import type { VisitTarget } from './current-targets';
import { type Admittance, type Course, answeredBy } from './course';
import type { RequestingClient } from './requesting-client';
import { errorAnswer, toolError, unknownTool } from './policy-errors';
import { recordedRequest } from './recorded-request';
import type { OfferedTool, ToolDirectory } from './tool-directory';

/** What the admission of tool calls needs. */
export interface ToolCallParts {
  readonly principal: Principal;
  readonly session: Session;
  readonly target: VisitTarget;
  readonly tools: ToolDirectory;
  readonly limits: CallLimits;
  /** How long an answer is held while people decide. */
  readonly holdMs: number;
  /** Aborts when the gateway stops: held calls are answered then, and their reviews stay. */
  readonly stopping: AbortSignal;
}

/** Admits calls of tools: found, allowed, within the limits, judged, recorded, and reviewed where that is required. */
export class ToolCalls {
  /** Approved calls that wait for input of their client, by the serial number of their last request. */
  private readonly unfinished = new Map<number, () => Promise<void>>();

  constructor(private readonly parts: ToolCallParts) {}

  /** @param resumes the serial number of the request that this one continues. It was approved, so no review is asked for again. */
  async admit(
    serial: number,
    request: UpstreamRequest,
    client: RequestingClient,
    course: Course,
    resumes: number | undefined,
  ): Promise<Admittance> {
    const { session, tools } = this.parts;
    const { name, arguments: args = {} } = request.params;
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
    const notNow = this.notNow(name, tool);
    if (notNow !== undefined) return refuse(notNow, toolError(notNow));
    const judged = [
      ...judgedCall(name, args),
      ...judgedCall('inputResponses', request.continuation?.responses ?? {}),
    ];
    const admission =
      resumes === undefined
        ? await this.reviewed(this.commandOf(name, tool, args, text, judged), tool, client)
        : await this.continued(text, judged, resumes);
    if (admission.kind !== 'forward') return answeredBy(unadmitted(admission, course));
    await session.inputsDurable();
    return { kind: 'admitted', tool, over: admission.over };
  }

  /** The call is not over: its client has to say something first. */
  suspend(serial: number, over: (() => Promise<void>) | undefined): void {
    if (over !== undefined) this.unfinished.set(serial, over);
  }

  private commandOf(
    name: string,
    { state: { fingerprint } }: OfferedTool,
    args: Json,
    text: string,
    judged: readonly JudgedText[],
  ): CallCommand {
    const target = this.parts.target.now;
    const principal = this.parts.principal.userId;
    const hash = callHash({ connection: target.id, tool: name, fingerprint, arguments: args, principal });
    return {
      kind: 'call',
      text,
      judged,
      call: { name, arguments: writeJson(args), hash },
      mustReview: target.mcp !== null && matchesVisibly(target.mcp.tools.approval, name),
    };
  }

  /** Waits for people, as long as the client does and the gateway may. The tool and the policy may change meanwhile. */
  private async reviewed(
    command: CallCommand,
    tool: OfferedTool,
    client: RequestingClient,
  ): Promise<CallAdmission> {
    const { session, holdMs } = this.parts;
    let admission = await session.admitCall(command);
    if (admission.kind !== 'pending' || holdMs === 0) return admission;
    client.holding(admission.reviewId);
    const signal = AbortSignal.any([client.signal, this.parts.stopping, AbortSignal.timeout(holdMs)]);
    while (admission.kind === 'pending' && (await session.callDecided(admission.reviewId, signal))) {
      const changed = await this.changedMeanwhile(command.call.name, tool);
      if (changed !== undefined) {
        session.refuse(changed);
        return { kind: 'refused', reason: 'access', message: changed };
      }
      admission = await session.admitCall({ ...command, isRecorded: true });
    }
    return admission;
  }

  /** Why a call that was held may not go on, before its approval is claimed. @throws AppError `not_found` */
  private async changedMeanwhile(name: string, { state }: OfferedTool): Promise<string | undefined> {
    await this.parts.target.refresh();
    const now = await this.parts.tools.find(name);
    if (now === undefined) return `Unknown tool: ${name}`;
    if (now.state.status === 'accepted' && now.state.fingerprint === state.fingerprint) return undefined;
    return `The tool ${name} has changed since the call was held. Nothing has run.`;
  }

  private async continued(
    text: string,
    judged: readonly JudgedText[],
    resumes: number,
  ): Promise<CallAdmission> {
    const admission = await this.parts.session.admitAhead({ kind: 'statement', text, judged });
    if (admission.kind !== 'forward') return admission;
    const over = this.unfinished.get(resumes);
    this.unfinished.delete(resumes);
    return over === undefined ? admission : { ...admission, over };
  }

  /** Why a known tool may not be called now. */
  private notNow(name: string, { state }: OfferedTool): string | undefined {
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
}

function unadmitted(admission: Exclude<CallAdmission, { kind: 'forward' }>, course: Course) {
  if (admission.kind === 'pending') {
    course.verdict = 'pending';
    course.reviewId = admission.reviewId;
    return toolError(
      `This call waits for an approval: review ${admission.reviewId}. Nothing has run. Once it is approved, repeat the same call.`,
    );
  }
  course.verdict = admission.reason === 'guardrail' ? 'blocked' : 'refused';
  return toolError(admission.message);
}
