/** Milliseconds for which long work may block the event loop. */
const SLICE_MS = 2;

/** Limits how long work in small steps blocks the event loop. */
export class TimeSlice {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since >= SLICE_MS;
  }

  /** Resolves after a turn of the event loop, when the next slice begins. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}

/** Runs all steps of a computation without interruption. */
export function atOnce<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps of a computation in time slices; the event loop turns between the slices. */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.next();
  }
}
