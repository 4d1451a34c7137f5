/** Milliseconds that long work may hold the event loop before others have their turn. */
const SLICE_MS = 2;

/** The time that long work has on the event loop until it must let others have their turn. For work that comes in small steps. */
export class TimeSlice {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  /** Resolves when others had their turn, and the next slice begins. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}

/** Work that yields between its small steps, all of it now. */
export function atOnce<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in slices: others have their turn in between. */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.next();
  }
}
