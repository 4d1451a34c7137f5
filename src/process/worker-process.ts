import cluster, { type Worker } from 'node:cluster';
import { closeOrphanedConnections } from './orphaned-connections';

/**
 * Distinguishes a worker from a gateway that some other program runs in a cluster of its own; and from others
 * in `ps`.
 */
export const WORKER_ARGUMENT = 'worker';

/** Message of a worker to its primary. */
type Note = { readonly kind: 'serving' } | { readonly kind: 'failed'; readonly why: string };

/** A worker, as its primary sees it. */
export class WorkerProcess {
  isServing = false;
  /** Reason of its end: `exit code 1`, `SIGKILL`. */
  readonly gone: Promise<string>;
  /** Undefined once it serves; otherwise why it never will. */
  readonly started: Promise<string | undefined>;

  constructor(
    private readonly worker: Worker,
    task: unknown,
  ) {
    this.gone = new Promise((resolve) => {
      worker.once('exit', (code: number, signal: string | null) => resolve(signal ?? `exit code ${code}`));
      // The system may refuse a process: there is none then that could exit.
      // Other errors come before an exit.
      worker.on('error', (error) => worker.process.pid ?? resolve(error.message));
    });
    const told = new Promise<string | undefined>((resolve) => {
      // Others listen to this worker too (`countFor`).
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
    // Through a pipe between the two: arguments and variables can be read from
    // outside, and the task holds secrets.
    if (worker.process.pid !== undefined) worker.send({ task }, undefined, () => undefined);
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }
}

/** Whether this process was started by `Workers`. It ends by itself, at once, when its primary is gone. */
export function isWorker(): boolean {
  return cluster.isWorker && process.argv.includes(WORKER_ARGUMENT);
}

/** In a worker: what it was started for. */
export function taskOfWorker<Task>(): Promise<Task> {
  return new Promise((resolve) => {
    process.once('message', ({ task }: { task: Task }) => resolve(task));
  });
}

/** In a worker: it serves. */
export function tellServing(): Promise<void> {
  return sendNote({ kind: 'serving' });
}

/** Reports the failure of a worker to its primary, which logs it once for all. */
export function tellFailed(why: string): Promise<void> {
  return sendNote({ kind: 'failed', why });
}

/** Resolves once the message is sent, also if the parent process is gone. */
function sendNote(note: Note): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(note, undefined, {}, () => resolve());
  });
}
