import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { settlesWithin } from '../kernel/async/timeout';
import { LocalCounts } from '../proxies/kit/counts';
import { countFor } from './worker-counts';
import { WorkerDeaths } from './worker-deaths';
import { WORKER_ARGUMENT, WorkerProcess } from './worker-process';

interface WorkersOptions<Task> {
  /** Number of workers that serve at once. */
  readonly count: number;
  /** The file that a worker runs. */
  readonly program: string;
  /**
   * Task of a worker. The first one starts alone, and may have more to do than those that follow.
   * @param place from 0; a worker that follows a dead one has its place
   */
  readonly task: (isFirst: boolean, place: number) => Task;
  /** Called with each worker as it is started. */
  readonly onFork?: ((worker: Worker) => void) | undefined;
  /** After SIGTERM, in milliseconds; then SIGKILL. */
  readonly stopsWithinMs: number;
  /** No worker serves any more, and starting others did not help. */
  readonly onHopeless: (error: Error) => void;
}

/**
 * Processes that listen on the same ports (node:cluster: this process accepts, and hands
 * connections out in turn). One that dies is followed by another; what it left behind is
 * found by the others as that of any dead gateway is.
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
   * Resolves when all serve. The first starts alone, so that a fault of the start is reported once.
   *
   * @throws Error why a worker could not start. The others go on until `stop`.
   */
  async start(): Promise<void> {
    const { count, program, task } = this.options;
    // A structured clone instead of JSON: settings hold keys as bytes.
    cluster.setupPrimary({ exec: program, args: [WORKER_ARGUMENT], serialization: 'advanced' });
    await this.startPlace(task(true, 0), 0);
    const others = Array.from({ length: count - 1 }, (_, index) => index + 1);
    await Promise.all(others.map((place) => this.startPlace(task(false, place), place)));
    this.log.log(`${count} workers serve`);
  }

  /**
   * Lets all finish what runs. @throws Error if one that served did not end as
   * it should; all are gone all the same.
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

  /** A worker's place is never given up, unless all is. */
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
