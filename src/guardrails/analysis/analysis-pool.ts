import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { JudgedFor } from '../../gate/ports/guardrails';
import { stoppingError } from '../../kernel/app-error';
import { HolderCounts } from '../../kernel/async/holder-counts';
import type { AnalysisTask, analyse } from './analysis';
import {
  AnalysisAbandoned,
  AnalysisTimeout,
  queueFull,
  queueTimeout,
  userQueueFull,
} from './analysis-errors';
import { FairQueue } from './fair-queue';

type Result = ReturnType<typeof analyse>;
type Pool = Piscina<Assignment, Result>;

const IDLE_THREAD_MS = 30_000;

export const LIMITS = {
  threads: 2,
  /** Maximum number of waiting tasks: for one user, for one connection of a user, and for all users. */
  waiting: { user: 250, connection: 200, all: 1_000 },
  /**
   * Time limit of a task, after which its thread is terminated. Milliseconds, like all limits below. The
   * slowest text of a megabyte takes a few seconds.
   */
  task: 10_000,
  /**
   * Time that a running task may continue after its answer is no longer needed, because terminating its
   * thread costs about as much time.
   */
  abandoned: 1_000,
  /** Time limit for waiting in the queue. */
  turn: 60_000,
  /**
   * Time limit for a thread to begin an assigned task. Needed because a thread that dies at its start reports
   * nothing.
   */
  silence: 15_000,
  lookEvery: 100,
};

/** A task for a thread. The thread stores its start time in milliseconds since 1970 in the memory `begun`. */
export interface Assignment {
  readonly task: AnalysisTask;
  readonly begun: Float64Array;
}

/** Owner of tasks without a user. In the queue, they take turns like the tasks of one user. */
const NOBODY: JudgedFor = { userId: '', connectionId: '', sessionId: '' };

interface Job {
  readonly owner: JudgedFor;
  readonly assignment: Assignment;
  readonly since: number;
  /** Time at which the job was given to a thread; 0 while it waits. */
  givenAt: number;
  /** Time from which the answer was no longer needed; 0 while it is needed. */
  abandonedAt: number;
  /** Controller whose abort terminates the thread of the job. */
  readonly thread: AbortController;
  /** Settles the promise of the caller. Only the first call has an effect. */
  readonly done: (outcome: { readonly result: Result } | { readonly error: unknown }) => void;
}

/**
 * Worker threads that judge texts which are too long for the event loop. Each task has a time limit. Users
 * take turns, and while others wait, one user may occupy all threads but one. `piscina` gets a task only when
 * a thread is free, because its own queue does not know which user occupies the threads, and tasks that can
 * be aborted bypass that queue.
 */
@Injectable()
export class AnalysisPool implements OnApplicationShutdown {
  private readonly log = new Logger(AnalysisPool.name);
  private pool: Pool | undefined;
  protected readonly limits = LIMITS;
  private queue: FairQueue<Job> | undefined;
  private readonly running = new Set<Job>();
  private readonly threadsOf = new HolderCounts();
  /** The jobs that wait or run, the oldest first. */
  private readonly jobs = new Set<Job>();
  private watch: NodeJS.Timeout | undefined;
  private readonly closing = new Set<Promise<void>>();
  private isStopping = false;

  /**
   * Runs a task in a thread. When it rejects, the text was not judged.
   * @throws AnalysisTimeout; AppError `too_many_requests` when the user has too many waiting texts;
   * `unavailable` when all users together have too many, or when the answer was not needed any more; or the
   * error that ended the thread.
   */
  run(task: AnalysisTask, owner: JudgedFor = NOBODY): Promise<Result> {
    if (this.isStopping) return Promise.reject(stoppingError());
    const { signals = [] } = owner;
    if (signals.some(({ aborted }) => aborted)) return Promise.reject(new AnalysisAbandoned());
    return new Promise((resolve, reject) => {
      const job: Job = {
        owner,
        assignment: { task, begun: new Float64Array(new SharedArrayBuffer(8)) },
        since: Date.now(),
        givenAt: 0,
        abandonedAt: 0,
        thread: new AbortController(),
        done: (outcome) => {
          for (const signal of signals) signal.removeEventListener('abort', abandon);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.result);
        },
      };
      const abandon = (): void => this.abandon(job);
      for (const signal of signals) signal.addEventListener('abort', abandon);
      this.enqueue(job);
    });
  }

  private get waiting(): FairQueue<Job> {
    return (this.queue ??= new FairQueue(this.limits.waiting));
  }

  private enqueue(job: Job): void {
    const queued = this.waiting.add(job);
    if (queued.kind === 'refused') {
      job.done({ error: queued.by === 'own limit' ? userQueueFull() : queueFull() });
      return;
    }
    this.jobs.add(job);
    if (queued.evicted !== undefined) this.drop(queued.evicted, queueFull());
    this.watch ??= setInterval(() => this.look(), this.limits.lookEvery);
    this.giveOut();
  }

  /** Assigns waiting tasks to free threads. */
  private giveOut(): void {
    const { threads } = this.limits;
    const most = Math.max(1, threads - 1);
    while (this.running.size < threads) {
      const job = this.waiting.next((userId) => this.threadsOf.of(userId) < most);
      if (job === undefined) return;
      void this.give(job);
    }
  }

  private async give(job: Job): Promise<void> {
    const release = this.threadsOf.add(job.owner.userId);
    this.running.add(job);
    job.givenAt = Date.now();
    try {
      this.pool ??= this.open();
      job.done({ result: await this.pool.run(job.assignment, { signal: job.thread.signal }) });
    } catch (error) {
      job.done({ error: job.thread.signal.aborted ? job.thread.signal.reason : error });
    } finally {
      release();
      this.running.delete(job);
      this.drop(job);
      this.giveOut();
    }
  }

  /** Removes a waiting or ended job. With `error`, rejects the promise of the job's caller. */
  private drop(job: Job, error?: unknown): void {
    this.waiting.remove(job);
    this.jobs.delete(job);
    if (error !== undefined) job.done({ error });
    if (this.jobs.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  private abandon(job: Job): void {
    if (job.givenAt === 0) return this.drop(job, new AnalysisAbandoned());
    job.abandonedAt = Date.now();
    job.done({ error: new AnalysisAbandoned() });
  }

  /**
   * Ends jobs that exceed a limit. The time limit of a task starts when a thread begins with it, so time in
   * the queue does not count.
   */
  private look(): void {
    const { limits } = this;
    const now = Date.now();
    for (const job of this.jobs) {
      const beganAt = job.assignment.begun[0] ?? 0;
      if (job.givenAt === 0) {
        if (now - job.since > limits.turn) this.drop(job, queueTimeout(limits.turn));
      } else if (beganAt === 0) {
        if (now - job.givenAt <= limits.silence) continue;
        job.thread.abort(new Error(`no thread began within ${limits.silence} ms`));
        this.discard(this.pool);
      } else if (now - beganAt > limits.task) {
        job.thread.abort(new AnalysisTimeout(limits.task));
      } else if (job.abandonedAt > 0 && now - job.abandonedAt > limits.abandoned) {
        job.thread.abort(new AnalysisAbandoned());
      }
    }
  }

  private open(): Pool {
    const pool: Pool = new Piscina({
      filename: workerFile(),
      minThreads: 0,
      maxThreads: this.limits.threads,
      idleTimeout: IDLE_THREAD_MS,
    });
    // A thread may fail while no task waits for it. Without a listener, this error would end the process.
    pool.on('error', (error: unknown) => {
      this.log.error({ err: error }, 'An analysis thread failed');
      this.discard(pool);
    });
    return pool;
  }

  /**
   * Closes a pool of threads. The next task opens a new pool. Shutdown waits until the old pool has ended.
   */
  private discard(pool: Pool | undefined): void {
    if (pool === undefined) return;
    if (this.pool === pool) this.pool = undefined;
    const closed = pool
      .destroy()
      .catch((error: unknown) => this.log.error({ err: error }, 'Analysis threads could not be ended'))
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const job of this.jobs) if (job.givenAt === 0) this.drop(job, stoppingError());
    this.discard(this.pool);
    await Promise.all(this.closing);
    clearInterval(this.watch);
  }
}

/**
 * Returns the path of the JavaScript file that threads load. It is next to the gateway's bundle. A gateway
 * that runs from its TypeScript sources uses the built file in `dist/bundle`.
 */
function workerFile(): string {
  const name = 'analysis.worker.js';
  return __filename.endsWith('.ts')
    ? join(__dirname, '..', '..', '..', 'dist', 'bundle', name)
    : join(__dirname, name);
}
