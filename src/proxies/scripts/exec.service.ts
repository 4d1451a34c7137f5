import { Injectable } from '@nestjs/common';
import { ScriptSettings } from '../../platform/config/groups';
import { limitError } from '../../gate/refusal';
import { Gate, type Reserve, type SaidInput } from '../../gate/gate';
import type { AskCatalog } from '../../gate/ports/guardrails';
import type { Target } from '../../gate/ports/target-directory';
import type { Admission, Session } from '../../gate/session';
import { METADATA_KEYS } from '../../platform/http/dto/metadata-field';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { resultWithin } from '../../kernel/async/timeout';
import { languageNamed } from '../../languages/languages';
import { targetKind } from '../../targets/kinds';
import type { ApprovedExecBody, ExecBody, ExecView } from './exec.dto';
import { type AdmittedScript, ScriptExecutions } from './script-executions';
import { ScriptLimits, ScriptPlace } from './script-limits';
import { type ScriptResult, blocked, still } from './script-results';

/** Runs scripts through the gate. */
@Injectable()
export class ExecService {
  constructor(
    private readonly gate: Gate,
    private readonly limits: ScriptLimits,
    private readonly settings: ScriptSettings,
    private readonly executions: ScriptExecutions,
  ) {}

  /** Runs a script. @param traceparent trace context of the request */
  run(principal: Principal, body: ExecBody, traceparent?: string): Promise<ExecView> {
    return this.limited(async (place) => {
      const session = await this.enter(principal, withTrace(body, traceparent), place.reserve);
      const command = { kind: 'statement', text: body.script, ask: askOf(session.target) } as const;
      const script = { text: body.script, traceparent };
      return this.outcome(session, await session.admit(command), script, place);
    });
  }

  /** Runs the approved script of a session, at most once. @throws AppError as `Gate.resume` does. */
  runApproved(
    actor: Principal,
    sessionId: string,
    body: ApprovedExecBody,
    traceparent?: string,
  ): Promise<ExecView> {
    return this.limited(async (place) => {
      const said = saidIn(body);
      const terms = { reserve: place.reserve, askOf };
      const { session, script, reviewId } = await this.gate.resume(actor, sessionId, said, terms);
      const admission = await session.admit({ kind: 'approved', text: script, ask: askOf(session.target) });
      const result = await this.outcome(session, admission, { text: script, traceparent }, place);
      return { ...result, review_id: reviewId };
    });
  }

  private async timed(work: () => Promise<ScriptResult>): Promise<ExecView> {
    const startedAt = performance.now();
    const result = await this.executions.enter(work);
    return { ...result, execution_time: Math.round(performance.now() - startedAt) };
  }

  /** Runs the work, and counts its script in the limits of scripts until the script has ended. */
  private limited(work: (place: ScriptPlace) => Promise<ScriptResult>): Promise<ExecView> {
    const place = new ScriptPlace(this.limits);
    return this.timed(() => work(place).finally(() => place.leaveUnlessRunning()));
  }

  private async outcome(
    session: Session,
    admission: Admission,
    script: AdmittedScript,
    place: ScriptPlace,
  ): Promise<ScriptResult> {
    switch (admission.kind) {
      case 'pending':
        return {
          ...still(session),
          output_status: 'waiting',
          has_review: true,
          review_id: admission.reviewId,
        };
      case 'refused':
        if (admission.reason === 'access') throw new AppError('forbidden', admission.message);
        if (admission.reason === 'fault') throw new AppError('internal', admission.message);
        if (admission.reason === 'limit') throw limitError(admission);
        return blocked(session, withHint(admission.message, session, script.text));
      case 'forward': {
        const answerWithin = this.settings.answerSeconds * 1000;
        const execution = place.whileRunning(this.executions.execute(session, script));
        return (await resultWithin(execution, answerWithin)) ?? still(session);
      }
    }
  }

  private async enter(principal: Principal, body: ExecBody, reserve: Reserve): Promise<Session> {
    if (Object.keys(body.env_vars ?? {}).length > 0)
      throw new AppError('unprocessable', 'env_vars must be empty: the connection sets the environment');
    if ((body.client_args ?? []).length > 0)
      throw new AppError('unprocessable', 'client_args must be empty: the connection sets the arguments');
    const visit = {
      connection: body.connection,
      verb: 'exec' as const,
      script: body.script,
      labels: body.labels ?? {},
      metadata: body.metadata ?? {},
      batchId: body.session_batch_id ?? null,
      correlationId: body.correlation_id ?? null,
      reason: body.reason ?? null,
      credentialId: null,
      until: null,
    };
    return this.gate.enter(principal, visit, reserve);
  }
}

/** Adds a hint to a refusal, because the refusal of a text that is not SQL does not explain the cause. */
function withHint(message: string, { target }: Session, text: string): string {
  const hint = languageNamed(targetKind(target.subtype)?.language ?? '').hint?.(text);
  return hint === undefined ? message : `${message}\n${hint}`;
}

/** Adds the trace context to the metadata, unless the caller has used the maximum number of keys. */
function withTrace(body: ExecBody, traceparent: string | undefined): ExecBody {
  const metadata = { ...body.metadata };
  const isFull = Object.keys(metadata).length >= METADATA_KEYS && !('traceparent' in metadata);
  return traceparent === undefined || isFull ? body : { ...body, metadata: { ...metadata, traceparent } };
}

/** Returns the fields that are present in the body. */
function saidIn({ script, client_args, env_vars }: ApprovedExecBody): SaidInput {
  return {
    ...(script !== undefined ? { script } : {}),
    ...(client_args !== undefined ? { arguments: client_args } : {}),
    ...(env_vars !== undefined ? { environment: env_vars } : {}),
  };
}

/**
 * Returns the function that queries the target's catalog, because a script may touch tables that it does not
 * name.
 */
function askOf(target: Target): AskCatalog | undefined {
  return targetKind(target.subtype)?.askCatalog?.(() => target.openSecret());
}
