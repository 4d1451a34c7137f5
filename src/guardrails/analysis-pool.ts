import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { AnalysisTask, analyse } from './analysis';

type Pool = Piscina<Assignment, ReturnType<typeof analyse>>;

const MAX_THREADS = 2;
/** More than this waiting means that somebody floods the gateway; what cannot wait is refused. */
const MAX_WAITING = 1_000;
const IDLE_THREAD_MS = 30_000;

/** Milliseconds. */
export const LIMITS = {
  /** A megabyte of the worst text takes a few seconds; beyond that the thread is taken down. */
  task: 10_000,
  /** While others are at work, a task may wait for its turn. */
  turn: 60_000,
  /** Nothing was done for longer than any task may take: threads that die while they start say nothing. */
  silence: 15_000,
  lookEvery: 100,
};

/** The thread took too long over a text, and was ended. What no thread has begun with is another fault. */
export class AnalysisTimeout extends Error {}

/** A task, and where the thread writes when it begins: milliseconds since 1970. */
export interface Assignment {
  readonly task: AnalysisTask;
  readonly begun: Float64Array;
}

/** What is too long for the event loop is looked at in threads of their own, each task with a time limit. */
@Injectable()
export class AnalysisPool implements OnApplicationShutdown {
  private readonly log = new Logger(AnalysisPool.name);
  private pool: Pool | undefined;
  /** When a task was last done with. */
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

  /** The time of a task counts from when a thread began with it: waiting behind others is nobody's fault. */
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
    // A thread that fails while nobody waits for it: without a listener it would take the gateway along.
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

/** Threads load JavaScript: a gateway that runs from its sources takes the worker as it was built. */
function workerFile(): string {
  const name = 'analysis.worker.js';
  return __filename.endsWith('.ts')
    ? join(__dirname, '..', '..', 'dist', 'src', 'guardrails', name)
    : join(__dirname, name);
}
