import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { AnalysisTask, analyse } from './analysis';

type Pool = Piscina<Assignment, ReturnType<typeof analyse>>;

const MAX_THREADS = 2;
/** More than this waiting means that somebody floods the gateway; what cannot wait is refused. */
const MAX_WAITING = 1_000;
const IDLE_THREAD_MS = 30_000;
/** A megabyte of the worst text takes a few seconds; beyond that the thread is taken down. */
const TIME_LIMIT_MS = 10_000;

/** The thread took too long over a text, and was ended. What no thread has begun with is another fault. */
export class AnalysisTimeout extends Error {}

/** A task, and a flag that the thread sets when it begins. */
export interface Assignment {
  readonly task: AnalysisTask;
  readonly begun: Int32Array;
}

/** What is too long for the event loop is looked at in threads of their own, each task with a time limit. */
@Injectable()
export class AnalysisPool implements OnApplicationShutdown {
  private readonly log = new Logger(AnalysisPool.name);
  private pool: Pool | undefined;

  /** @throws AnalysisTimeout, or whatever ended the thread: the text was not judged. */
  async run(task: AnalysisTask): Promise<ReturnType<typeof analyse>> {
    this.pool ??= this.open();
    const { pool } = this;
    const limit = AbortSignal.timeout(TIME_LIMIT_MS);
    const begun = new Int32Array(new SharedArrayBuffer(4));
    try {
      return await pool.run({ task, begun }, { signal: limit });
    } catch (error) {
      if (!limit.aborted) throw error;
      if (begun[0] === 1)
        throw new AnalysisTimeout(`no answer within ${TIME_LIMIT_MS / 1000} s`, { cause: error });
      // A thread that dies while it starts leaves its task waiting for ever.
      this.discard(pool);
      throw new Error(`no thread began within ${TIME_LIMIT_MS / 1000} s`, { cause: error });
    }
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
