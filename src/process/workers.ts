import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { settlesWithin } from '../kernel/async/timeout';
import { LocalCounts } from '../proxies/kit/counts';
import { countFor } from './worker-counts';
import { WorkerDeaths } from './worker-deaths';
import { WORKER_ARGUMENT, WorkerProcess } from './worker-process';

interface WorkersOptions<Task> {
  /** Number of workers that serve in parallel. */
  readonly count: number;
  /** The file that a worker runs. */
  readonly program: string;
  /**
   * Returns the task of a worker. The first worker starts alone, and may have more to do than the others.
   * @param place number of the worker, from 0; a worker that replaces a dead one gets its number
   */
  readonly task: (isFirst: boolean, place: number) => Task;
  /** Called with each worker as it is started. */
  readonly onFork?: ((worker: Worker) => void) | undefined;
  /** Maximum time from SIGTERM to the end of the workers, in milliseconds. After it, they get SIGKILL. */
  readonly stopsWithinMs: number;
  /** Called when no worker serves and restarts did not help. */
  readonly onHopeless: (error: Error) => void;
}

/**
 * Worker processes that listen on the same ports (node:cluster: this process accepts connections and
 * distributes them in turn). A worker that dies is replaced. The other workers end its open sessions, as they
 * do for any dead gateway.
 */
export class Workers<Task> {
  private readonly log = new Logger('Workers');
  private readonly living = new Set<WorkerProcess>();
  private readonly deaths: WorkerDeaths;
  private readonly stopping = new AbortController();
  private readonly counts = new LocalCounts();

  constructor(private readonly options: WorkersOptions<Task>) {
    this.deaths = new WorkerDeaths(options.count);
  }

  /**
   * Resolves when all workers serve. The first one starts alone, so that a start-up fault is reported once.
   *
   * @throws Error with the reason why a worker could not start. The other workers run until `stop`.
   */
  async start(): Promise<void> {
    const { count, program, task } = this.options;
    // Messages are structured clones, not JSON, because the settings have keys as bytes.
    cluster.setupPrimary({ exec: program, args: [WORKER_ARGUMENT], serialization: 'advanced' });
    await this.startPlace(task(true, 0), 0);
    const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
    await Promise.all(others.map((place) => this.startPlace(task(false, place), place)));
    this.log.log(`${count} workers serve`);
  }

  /**
   * Lets all workers finish their running work and ends them.
   * @throws Error if a serving worker did not stop cleanly; all workers have ended nevertheless
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    const workers = [...this.living];
    const serving = workers.filter((worker) => worker.isServing);
    for (const worker of workers) worker.kill('SIGTERM');
    const gone = Promise.all(workers.map((worker) => worker.gone));
    if (!(await settlesWithin(gone, this.options.stopsWithinMs))) {
      for (const worker of this.living) worker.kill('SIGKILL');
    }
    await gone;
    const exits = await Promise.all(serving.map((worker) => worker.gone));
    const unclean = exits.filter((exit) => exit !== 'exit code 0');
    if (unclean.length > 0)
      throw new Error(`${unclean.length} workers did not stop cleanly: ${unclean.join(', ')}`);
  }

  private async startPlace(task: Task, place: number): Promise<void> {
    const worker = this.fork(task);
    const fault = await worker.started;
    if (fault !== undefined) throw new Error(fault);
    void this.replaceWorker(worker, place);
  }

  /** Replaces a worker each time it dies, until `stop`, or until too many died and none serves. */
  private async replaceWorker(first: WorkerProcess, place: number): Promise<void> {
    for (let worker = first; ;) {
      const exit = await worker.gone;
      if (this.stopping.signal.aborted) return;
      const waitMs = this.deaths.count();
      this.log.error(`Worker ${worker.pid} is gone (${exit}), the next one starts in ${waitMs} ms`);
      if (this.deaths.areTooMany() && !this.anyServes()) return this.giveUp();
      await delay(waitMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      worker = this.fork(this.options.task(false, place));
      await this.tellStart(worker);
    }
  }

  private async tellStart({ pid, started }: WorkerProcess): Promise<void> {
    const fault = await started;
    if (fault === undefined) this.log.log(`Worker ${pid} serves`);
    else this.log.error(`Worker ${pid} did not start: ${fault}`);
  }

  private fork(task: Task): WorkerProcess {
    const forked = cluster.fork();
    countFor(forked, this.counts);
    this.options.onFork?.(forked);
    const worker = new WorkerProcess(forked, task);
    this.living.add(worker);
    void worker.gone.then(() => this.living.delete(worker));
    return worker;
  }

  private anyServes(): boolean {
    return [...this.living].some((worker) => worker.isServing);
  }

  private giveUp(): void {
    this.options.onHopeless(
      new Error(
        `No worker is left: ${this.deaths.recent} died within ${WorkerDeaths.WITHIN_SECONDS} seconds. The log says how.`,
      ),
    );
  }
}
