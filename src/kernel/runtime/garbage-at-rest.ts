import { getHeapStatistics } from 'node:v8';
import { collectGarbage } from './garbage-of-start';
import { PeriodicTask } from '../async/periodic-task';

const EVERY_MS = 10_000;
/**
 * A process that took less of a processor than this over a period is at rest.
 * With nothing to do, a gateway takes a hundredth.
 */
const BUSY_SHARE = 0.05;
/** It stops the process for up to a tenth of a second, so it must be worth it. */
const WORTH_BYTES = 24 * 1024 * 1024;

/** Readings and actions of the engine, which tests replace. */
export interface Engine {
  /** Microseconds of processor time that the process took so far. */
  readonly processorTime: () => number;
  /**
   * Bytes in use, and those held: of the heap from the system, and of buffers
   * outside it, which last as long as their objects.
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
 * Collects garbage once when the process comes to rest after work. V8 does so by itself only a minute or two
 * later, and until then a gateway holds the memory of its busiest time.
 */
export class GarbageAtRest {
  private readonly task: PeriodicTask;
  private usedTime: number;
  /** Bytes that were left after the last collection. */
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
      // Also if V8 keeps it: nothing would be gained by trying again at each look.
      const { used, held } = engine.heap();
      this.left = Math.max(used, held - WORTH_BYTES);
    }
    return Promise.resolve();
  }
}
