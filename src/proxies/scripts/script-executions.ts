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
import { ScriptOutput } from './script-output';
import type { ScriptResult } from './script-results';

/** Time in milliseconds in which canceled scripts must end, after the grace period. */
const CANCEL_WITHIN_MS = 5_000;

/** A script that the gate admitted. */
export interface AdmittedScript {
  readonly text: string;
  /** Trace context of the request that runs the script. */
  readonly traceparent: string | undefined;
  /** Milliseconds after which the script is canceled; undefined for no limit. */
  readonly within?: number;
}

/** Runs admitted scripts on their targets. Screens and records their output as it arrives. */
@Injectable()
export class ScriptExecutions implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(ScriptExecutions.name);
  private readonly running = new Map<Promise<unknown>, AbortController>();
  /** Requests in progress that may start an execution. */
  private readonly entering = new Set<Promise<unknown>>();
  private stopped: Promise<void> | undefined;
  private isCancelling = false;

  constructor(
    private readonly settings: ProcessSettings,
    private readonly reachability: TargetReachability,
  ) {}

  /**
   * Runs a script. Resolves when its session has ended, and never rejects. If the gateway cannot judge or
   * record the script, the result is `blocked`.
   */
  execute(session: Session, script: AdmittedScript): Promise<ScriptResult> {
    const controller = new AbortController();
    if (this.isCancelling) controller.abort(cancelled());
    const execution = this.forward(session, script, controller).finally(() => this.running.delete(execution));
    this.running.set(execution, controller);
    return execution;
  }

  /**
   * Does work that may start an execution. A gateway that stops meanwhile waits for this work.
   * @throws AppError `unavailable` while the gateway stops; any error of the work
   */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.stopped !== undefined) throw stoppingError();
    const entering = work();
    this.entering.add(entering);
    return entering.finally(() => this.entering.delete(entering));
  }

  /**
   * Begins to stop before other modules wait for their own work, so that all modules share one grace period.
   */
  onModuleDestroy(): void {
    this.stopped ??= this.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /** Lets running scripts finish. After the grace period, cancels them and closes their sessions. */
  private async stop(): Promise<void> {
    const finished = this.whenFinished();
    if (await settlesWithin(finished, this.settings.shutdownGraceSeconds * 1000)) return;
    this.isCancelling = true;
    for (const controller of this.running.values()) controller.abort(cancelled());
    await settlesWithin(finished, CANCEL_WITHIN_MS);
  }

  /** Resolves when no script runs, including scripts that start while others finish. */
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
      secret = await secretFor(session);
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
      await sink('e', 'The secret of this connection could not be opened. Please tell an administrator.\n');
      return EXIT_BLOCKED;
    }
    const dialled = (isReachable: boolean): void =>
      void this.reachability.noteOften(session.target, isReachable);
    return runner.run(secret, text, sink, signal, dialled, traceparent);
  }
}

async function secretFor({ id, person, target }: Session): Promise<Readonly<Record<string, string>>> {
  return (await target.certifiedSecret?.({ person, session: id })) ?? target.openSecret();
}

function cancelled(): Error {
  return new Error('The gateway was stopped while the script ran.');
}

function endAfter(within: number | undefined, controller: AbortController): NodeJS.Timeout | undefined {
  if (within === undefined) return undefined;
  const reason = new Error(`The script was ended: it may take ${within / 1_000} seconds.`);
  return setTimeout(() => controller.abort(reason), within);
}
