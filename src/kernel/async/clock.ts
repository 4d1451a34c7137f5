/** The current time in milliseconds since the epoch. Injected, so that tests can change it. */
export abstract class Clock {
  abstract now(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }
}
