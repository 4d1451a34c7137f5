import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from './garbage-of-start';
import { PeriodicTask } from '../async/periodic-task';

const EVERY_MS = 10_000;
/**
 * Fraction of one processor's time below which a process is idle in a period. A gateway without requests uses
 * about 0.01.
 */
const BUSY_SHARE = 0.05;
/** Minimum growth in bytes that justifies a collection, which stops the process for up to 0.1 s. */
const WORTH_BYTES = 24 * 1024 * 1024;

/** Measurements and actions of V8. Tests replace them. */
export interface Engine {
  /** Microseconds of processor time that the process took so far. */
  readonly processorTime: () => number;
  /**
   * `used`: bytes that objects use. `held`: bytes that the heap occupies. Both include buffers outside the
   * heap, which live as long as their objects.
   */
  readonly heap: () => { readonly used: number; readonly held: number };
  readonly collect: () => void;
}

const OWN: Engine = {
  processorTime: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  heap: () => {
    const { used_heap_size: used, total_physical_size: held, external_memory: buffers } = getHeapStatistics();
    return { used: used + buffers, held: held + buffers };
  },
  collect: collectGarbage,
};

/**
 * Collects garbage once when the process becomes idle after work. V8 itself does so only a minute or two
 * later; until then a gateway would keep the memory of its busiest time.
 */
export class GarbageAtRest {
  private readonly task: PeriodicTask;
  private usedTime: number;
  /** Bytes that remained after the last collection. Growth is measured from here. */
  private left: number;

  constructor(
    report: (message: string) => void,
    private readonly engine: Engine = OWN,
  ) {
    this.usedTime = engine.processorTime();
    this.left = engine.heap().used;
    this.task = new PeriodicTask({ everyMs: EVERY_MS, work: () => this.look(), onError: report });
  }

  start(): void {
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
  }

  private look(): Promise<void> {
    const { engine } = this;
    const time = engine.processorTime();
    const isBusy = time - this.usedTime > EVERY_MS * 1000 * BUSY_SHARE;
    this.usedTime = time;
    if (!isBusy && engine.heap().held - this.left > WORTH_BYTES) {
      engine.collect();
      // `left` includes memory that V8 does not release, because another collection would not free it.
      const { used, held } = engine.heap();
      this.left = Math.max(used, held - WORTH_BYTES);
    }
    return Promise.resolve();
  }
}
