import cluster, { type Worker } from 'node:cluster';
import { closeOrphanedConnections } from './orphaned-connections';

/**
 * Argument of worker processes. Distinguishes a worker from a gateway that another program runs in its own
 * cluster. Also shows in `ps` which processes are workers.
 */
export const WORKER_ARGUMENT = 'worker';

/** Message of a worker to its primary. */
type Note = { readonly kind: 'serving' } | { readonly kind: 'failed'; readonly why: string };

/** A worker, as its primary sees it. */
export class WorkerProcess {
  isServing = false;
  /** Resolves when the worker has ended, with the reason: `exit code 1`, `SIGKILL`. */
  readonly gone: Promise<string>;
  /** Resolves with undefined once the worker serves, otherwise with the reason why it never will. */
  readonly started: Promise<string | undefined>;

  constructor(
    private readonly worker: Worker,
    task: unknown,
  ) {
    this.gone = new Promise((resolve) => {
      worker.once('exit', (code: number, signal: string | null) => resolve(signal ?? `exit code ${code}`));
      // If the operating system refuses to start the process, no `exit` event follows, so `error` ends the
      // wait. After other errors, an `exit` event follows.
      worker.on('error', (error) => worker.process.pid ?? resolve(error.message));
    });
    const told = new Promise<string | undefined>((resolve) => {
      // Other messages of this worker are for another listener (`countFor`).
      worker.on('message', (note: Note | { readonly kind: 'other' }) => {
        if (note.kind !== 'serving' && note.kind !== 'failed') return;
        this.isServing = note.kind === 'serving';
        resolve(note.kind === 'failed' ? note.why : undefined);
      });
    });
    worker.once('exit', () => (this.isServing = false));
    this.started = Promise.race([
      told,
      this.gone.then((exit) => `A worker ended before it served (${exit}).`),
    ]);
    closeOrphanedConnections(worker);
    // The task is sent through a pipe, because it has secrets. Other users could read arguments and
    // environment variables.
    if (worker.process.pid !== undefined) worker.send({ task }, undefined, () => undefined);
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }
}

/** Whether this process is a worker of `Workers`. A worker ends at once when its primary process is gone. */
export function isWorker(): boolean {
  return cluster.isWorker && process.argv.includes(WORKER_ARGUMENT);
}

/** Receives the task of this worker from its primary process. */
export function taskOfWorker<Task>(): Promise<Task> {
  return new Promise((resolve) => {
    process.once('message', ({ task }: { task: Task }) => resolve(task));
  });
}

/** Reports to the primary process that this worker serves. */
export function tellServing(): Promise<void> {
  return sendNote({ kind: 'serving' });
}

/** Reports to the primary process why this worker failed. Only the primary process logs it. */
export function tellFailed(why: string): Promise<void> {
  return sendNote({ kind: 'failed', why });
}

/** Resolves once the message is sent, also if the parent process is gone. */
function sendNote(note: Note): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(note, undefined, {}, () => resolve());
  });
}
