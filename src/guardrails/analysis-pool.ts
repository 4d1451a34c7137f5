import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { AnalysisTask, analyse } from './analysis';

type Pool = Piscina<Assignment, ReturnType<typeof analyse>>;

const MAX_THREADS = 2;
/** More waiting tasks mean that somebody floods the gateway: further tasks are refused. */
const MAX_WAITING = 1_000;
const IDLE_THREAD_MS = 30_000;

/** Milliseconds. */
export const LIMITS = {
  /** Time limit of a task, after which its thread is terminated. A megabyte of the worst text takes a few seconds. */
  task: 10_000,
  /** Time limit for waiting in the queue. */
  turn: 60_000,
  /** No task has finished for longer than any task may take: threads that die during their start report nothing. */
  silence: 15_000,
  lookEvery: 100,
};

/** The task exceeded its time limit and its thread was terminated. A task that no thread began fails otherwise. */
export class AnalysisTimeout extends Error {}

/** A task, and shared memory in which the thread writes when it began: milliseconds since 1970. */
export interface Assignment {
  readonly task: AnalysisTask;
  readonly begun: Float64Array;
}

/** Worker threads for texts that are too long for the event loop. Each task has a time limit. */
@Injectable()
export class AnalysisPool implements OnApplicationShutdown {
  private readonly log = new Logger(AnalysisPool.name);
  private pool: Pool | undefined;
  /** When a task last finished or failed. */
  private lastDone = 0;
  protected readonly limits = LIMITS;

  /** @throws AnalysisTimeout, or whatever ended the thread: the text was not judged. */
  async run(task: AnalysisTask): Promise<ReturnType<typeof analyse>> {
    this.pool ??= this.open();
    const { pool } = this;
    const begun = new Float64Array(new SharedArrayBuffer(8));
    const abort = new AbortController();
    const watch = this.watch(pool, begun, (reason) => abort.abort(reason));
    try {
      return await pool.run({ task, begun }, { signal: abort.signal });
    } catch (error) {
      throw abort.signal.aborted ? (abort.signal.reason as Error) : error;
    } finally {
      clearInterval(watch);
      this.lastDone = Date.now();
    }
  }

  /** The time limit of a task starts when a thread begins with it: time in the queue does not count. */
  private watch(pool: Pool, begun: Float64Array, give: (reason: Error) => void): NodeJS.Timeout {
    const { limits } = this;
    const since = Date.now();
    return setInterval(() => {
      const now = Date.now();
      const beganAt = begun[0] ?? 0;
      if (beganAt > 0) {
        if (now - beganAt > limits.task) give(new AnalysisTimeout(`no answer within ${limits.task} ms`));
      } else if (now - Math.max(since, this.lastDone) > limits.silence) {
        give(new Error(`no thread began within ${limits.silence} ms`));
        this.discard(pool);
      } else if (now - since > limits.turn) {
        give(
          new Error(`too many texts wait to be judged: it was not the turn of this one in ${limits.turn} ms`),
        );
      }
    }, limits.lookEvery);
  }

  private open(): Pool {
    const pool: Pool = new Piscina({
      filename: workerFile(),
      minThreads: 0,
      maxThreads: MAX_THREADS,
      maxQueue: MAX_WAITING,
      idleTimeout: IDLE_THREAD_MS,
    });
    // A thread may fail while no task waits for it: without a listener the error would end the process.
    pool.on('error', (error: unknown) => {
      this.log.error({ err: error }, 'An analysis thread failed');
      this.discard(pool);
    });
    return pool;
  }

  /** The next task opens a new one. */
  private discard(pool: Pool): void {
    if (this.pool === pool) this.pool = undefined;
    void pool.destroy();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
    this.pool = undefined;
  }
}

/** Threads load JavaScript, which is beside the bundle of the gateway: one that runs from its sources takes what was built. */
function workerFile(): string {
  const name = 'analysis.worker.js';
  return __filename.endsWith('.ts')
    ? join(__dirname, '..', '..', 'dist', 'bundle', name)
    : join(__dirname, name);
}
