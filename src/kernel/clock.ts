/** Now, in milliseconds since the epoch. Injected where a test must move time. */
export abstract class Clock {
  abstract now(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
