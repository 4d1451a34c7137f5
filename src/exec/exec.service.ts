import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Gate, type Reserve, type SaidInput } from '../gate/gate';
import { FAULT_MESSAGE } from '../gate/refusal';
import type { Delivery } from '../gate/gated-stream';
import type { AskCatalog } from '../gate/ports/guardrails';
import { EXIT_BLOCKED } from '../gate/ports/session-end';
import { TargetReachability } from '../gate/ports/target-reachability';
import type { Admission, Session } from '../gate/session';
import { METADATA_KEYS } from '../http/fields';
import { AppError } from '../kernel/app-error';
import { FirstAbort } from '../kernel/first-abort';
import type { Principal } from '../kernel/principal';
import { resultWithin } from '../kernel/timeout';
import { targetKind } from '../targets/kinds';
import { DialledAhead } from './dialled-ahead';
import type { ApprovedExecBody, ExecBody, ExecView } from './exec.dto';
import { OutputCollector } from './output-collector';
import { type ScriptResult, blocked, still } from './script-results';
import { ScriptPlace, ScriptLimits } from './script-limits';
import { EXIT_OK, type ScriptRunner } from '../targets/script-runner';

/** After the grace period, how long cancelled scripts may take to end. */
const CANCEL_WITHIN_MS = 5_000;

/** Runs scripts through the gate: admits and forwards them, and screens and records each piece of output. */
@Injectable()
export class ExecService implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(ExecService.name);
  private readonly running = new Map<Promise<unknown>, AbortController>();
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly gate: Gate,
    private readonly limits: ScriptLimits,
    private readonly settings: Settings,
    private readonly reachability: TargetReachability,
    private readonly ahead: DialledAhead,
  ) {}

  /** @param traceparent of the request */
  run(principal: Principal, body: ExecBody, traceparent?: string): Promise<ExecView> {
    return this.limited(async (place) => {
      const session = await this.enter(principal, withTrace(body, traceparent), place.reserve);
      const command = { kind: 'statement', text: body.script, ask: askOf(session) } as const;
      const script = { text: body.script, traceparent };
      return this.outcome(session, await session.admit(command), script, place);
    });
  }

  /** Runs the approved script of a session, once. @throws AppError as `Gate.resume` does. */
  runApproved(
    actor: Principal,
    sessionId: string,
    body: ApprovedExecBody,
    traceparent?: string,
  ): Promise<ExecView> {
    return this.limited(async (place) => {
      const said = saidIn(body);
      const { session, script, reviewId } = await this.gate.resume(actor, sessionId, said, place.reserve);
      const admission = await session.admit({ kind: 'approved', text: script, ask: askOf(session) });
      const result = await this.outcome(session, admission, { text: script, traceparent }, place);
      return { ...result, review_id: reviewId };
    });
  }

  /** Starts before other modules wait for their own work, so that all share one grace period. */
  onModuleDestroy(): void {
    this.stopped ??= this.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /** Running scripts may finish. After the grace period they are cancelled, and their sessions closed. */
  private async stop(): Promise<void> {
    const finished = Promise.allSettled(this.running.keys());
    if (await resultWithin(finished, this.settings.process.shutdownGraceSeconds * 1000)) return;
    for (const controller of this.running.values()) {
      controller.abort(new Error('The gateway was stopped while the script ran.'));
    }
    await resultWithin(finished, CANCEL_WITHIN_MS);
  }

  private async timed(work: () => Promise<ScriptResult>): Promise<ExecView> {
    if (this.stopped !== undefined)
      throw new AppError('unavailable', 'this gateway is stopping', { retryAfterSeconds: 1 });
    const startedAt = performance.now();
    const result = await work();
    return { ...result, execution_time: Math.round(performance.now() - startedAt) };
  }

  /** Runs work with a place in the limits of scripts, which is released when the script has ended. */
  private limited(work: (place: ScriptPlace) => Promise<ScriptResult>): Promise<ExecView> {
    const place = new ScriptPlace(this.limits);
    return this.timed(() => work(place).finally(() => place.leaveUnlessRunning()));
  }

  private async outcome(
    session: Session,
    admission: Admission,
    script: TracedScript,
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
        return blocked(session, admission.message);
      case 'forward': {
        const runner = targetKind(session.target.subtype)?.scripts;
        const answerWithin = this.settings.scripts.answerSeconds * 1000;
        const execution = place.whileRunning(this.execute(session, runner, script));
        return (await resultWithin(execution, answerWithin)) ?? still(session);
      }
    }
  }

  private async enter(principal: Principal, body: ExecBody, reserve: Reserve): Promise<Session> {
    if (Object.keys(body.env_vars ?? {}).length > 0)
      throw new AppError('unprocessable', 'env_vars must be empty: scripts have no environment here');
    if ((body.client_args ?? []).length > 0)
      throw new AppError('unprocessable', 'client_args must be empty: there is no command to pass them to');
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

  private execute(
    session: Session,
    runner: ScriptRunner | undefined,
    script: TracedScript,
  ): Promise<ScriptResult> {
    const controller = new AbortController();
    const execution = this.forward(session, runner, script, controller).finally(() =>
      this.running.delete(execution),
    );
    this.running.set(execution, controller);
    return execution;
  }

  private async forward(
    session: Session,
    runner: ScriptRunner | undefined,
    script: TracedScript,
    controller: AbortController,
  ): Promise<ScriptResult> {
    const collected = new OutputCollector();
    const streams = { o: session.openStream('o'), e: session.openStream('e') };
    let refusal: string | undefined;
    const collect = (delivery: Delivery): boolean => {
      if (delivery.kind === 'blocked') refusal ??= delivery.message;
      else collected.add(delivery.text);
      return refusal === undefined;
    };
    const ended = new FirstAbort([controller.signal, session.ended]);
    const { signal } = ended;
    let exitCode = EXIT_BLOCKED;
    try {
      exitCode = await this.runOn(
        session,
        runner,
        script,
        async (type, text) => collect(await streams[type].deliver(text)),
        signal,
      );
      if (refusal === undefined) collect(await streams.o.deliverRest());
      // After all output, including held output, because a recording ends with the reason of its end.
      if (signal.aborted) collect(await streams.e.deliver(`${(signal.reason as Error).message}\n`));
      if (refusal === undefined) collect(await streams.e.deliverRest());
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'A script could not be run');
      refusal = FAULT_MESSAGE;
    }
    if (refusal !== undefined || signal.aborted) exitCode = EXIT_BLOCKED;
    ended.release();
    await session.end(exitCode).catch((error: unknown) => {
      this.log.error(
        { err: error, session: session.id },
        'A session could not be closed; another gateway closes it when this one is gone',
      );
    });
    if (refusal !== undefined) return blocked(session, refusal);
    return {
      ...still(session),
      output: collected.text,
      output_status: exitCode === EXIT_OK ? 'success' : 'failed',
      exit_code: exitCode,
      truncated: collected.truncated,
    };
  }

  private async runOn(
    session: Session,
    runner: ScriptRunner | undefined,
    { text, traceparent }: TracedScript,
    sink: (type: 'o' | 'e', text: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<number> {
    if (runner === undefined) {
      await sink(
        'e',
        `Scripts cannot be run on ${session.target.type}/${session.target.subtype} connections.\n`,
      );
      return EXIT_BLOCKED;
    }
    let secret: Readonly<Record<string, string>>;
    try {
      secret = session.target.openSecret();
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
      await sink('e', 'The secret of this connection could not be opened. Please tell an administrator.\n');
      return EXIT_BLOCKED;
    }
    const { target } = session;
    const dialled = (isReachable: boolean): void => void this.reachability.noteOften(target, isReachable);
    return this.ahead.during(target, secret, runner, (ahead) =>
      runner.run(secret, text, sink, signal, dialled, ahead, traceparent),
    );
  }
}

interface TracedScript {
  readonly text: string;
  /** Of the request that runs it. */
  readonly traceparent: string | undefined;
}

/** The trace is a key of the metadata, unless the caller has used all of them. */
function withTrace(body: ExecBody, traceparent: string | undefined): ExecBody {
  const metadata = { ...body.metadata };
  const isFull = Object.keys(metadata).length >= METADATA_KEYS && !('traceparent' in metadata);
  return traceparent === undefined || isFull ? body : { ...body, metadata: { ...metadata, traceparent } };
}

/** Null counts as omitted, as in every optional field. */
function saidIn({ script, client_args, env_vars }: ApprovedExecBody): SaidInput {
  return {
    ...(typeof script === 'string' ? { script } : {}),
    ...(client_args ? { arguments: client_args } : {}),
    ...(env_vars ? { environment: env_vars } : {}),
  };
}

/** Only the target's catalog knows which tables a script touches without naming them. */
function askOf({ target }: Session): AskCatalog | undefined {
  return targetKind(target.subtype)?.askCatalog?.(() => target.openSecret());
}
