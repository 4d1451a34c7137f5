import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ProcessSettings } from '../../platform/config/groups';
import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { FAULT_MESSAGE } from '../../gate/refusal';
import type { Session } from '../../gate/session';
import { stoppingError } from '../../kernel/app-error';
import { FirstAbort } from '../../kernel/async/first-abort';
import { settlesWithin } from '../../kernel/async/timeout';
import { targetKind } from '../../targets/kinds';
import type { OutputSink } from '../../targets/contract/script-runner';
import { DialledAhead } from './dialled-ahead';
import { ScriptOutput } from './script-output';
import type { ScriptResult } from './script-results';

/** After the grace period, how long cancelled scripts may take to end. */
const CANCEL_WITHIN_MS = 5_000;

/** A script that the gate admitted. */
export interface AdmittedScript {
  readonly text: string;
  /** Trace context of the request that runs it. */
  readonly traceparent: string | undefined;
  /** After how many milliseconds it is cancelled; undefined for no limit. */
  readonly within?: number;
}

/** Runs admitted scripts on their targets: forwards them, and screens and records each piece of output. */
@Injectable()
export class ScriptExecutions implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(ScriptExecutions.name);
  private readonly running = new Map<Promise<unknown>, AbortController>();
  /** Requests that may still become an execution. */
  private readonly entering = new Set<Promise<unknown>>();
  private stopped: Promise<void> | undefined;
  private isCancelling = false;

  constructor(
    private readonly settings: ProcessSettings,
    private readonly reachability: TargetReachability,
    private readonly ahead: DialledAhead,
  ) {}

  /**
   * Resolves when the session has ended. Never rejects: what the gateway could
   * not judge or record is blocked.
   */
  execute(session: Session, script: AdmittedScript): Promise<ScriptResult> {
    const controller = new AbortController();
    if (this.isCancelling) controller.abort(cancelled());
    const execution = this.forward(session, script, controller).finally(() => this.running.delete(execution));
    this.running.set(execution, controller);
    return execution;
  }

  /**
   * Does what leads to an execution. A gateway that stops meanwhile waits for it.
   * @throws AppError `unavailable` while the gateway stops; and what the work throws
   */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.stopped !== undefined) throw stoppingError();
    const entering = work();
    this.entering.add(entering);
    return entering.finally(() => this.entering.delete(entering));
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
    const finished = this.whenFinished();
    if (await settlesWithin(finished, this.settings.shutdownGraceSeconds * 1000)) return;
    this.isCancelling = true;
    for (const controller of this.running.values()) controller.abort(cancelled());
    await settlesWithin(finished, CANCEL_WITHIN_MS);
  }

  /** Waits also for scripts that enter while others finish. */
  private async whenFinished(): Promise<void> {
    while (this.entering.size + this.running.size > 0)
      await Promise.allSettled([...this.entering, ...this.running.keys()]);
  }

  private async forward(
    session: Session,
    script: AdmittedScript,
    controller: AbortController,
  ): Promise<ScriptResult> {
    const output = new ScriptOutput(session);
    const ended = new FirstAbort([controller.signal, session.ended]);
    const { signal } = ended;
    const timer = endAfter(script.within, controller);
    let exitCode = EXIT_BLOCKED;
    try {
      exitCode = await this.runOn(session, script, output.sink, signal);
      await output.finish(signal);
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'A script could not be run');
      output.refuse(FAULT_MESSAGE);
    }
    if (output.isRefused || signal.aborted) exitCode = EXIT_BLOCKED;
    ended.release();
    clearTimeout(timer);
    await session.end(exitCode).catch((error: unknown) => {
      this.log.error(
        { err: error, session: session.id },
        'A session could not be closed; another gateway closes it when this one is gone',
      );
    });
    return output.result(exitCode);
  }

  private async runOn(
    session: Session,
    { text, traceparent }: AdmittedScript,
    sink: OutputSink,
    signal: AbortSignal,
  ): Promise<number> {
    const runner = targetKind(session.target.subtype)?.scripts;
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

function cancelled(): Error {
  return new Error('The gateway was stopped while the script ran.');
}

function endAfter(within: number | undefined, controller: AbortController): NodeJS.Timeout | undefined {
  if (within === undefined) return undefined;
  const reason = new Error(`The script was ended: it may take ${within / 1_000} seconds.`);
  return setTimeout(() => controller.abort(reason), within);
}
