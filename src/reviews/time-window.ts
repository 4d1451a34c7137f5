/** Hours of each day. */
export interface TimeWindow {
  readonly type: 'time_range';
  /** HH:MM in UTC, the start included, the end not; may cross midnight. Never the same. */
  readonly configuration: { readonly start_time: string; readonly end_time: string };
}

/** HH:MM of a day with 24 hours. */
export const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const DAY = 24 * 60;

/** Whether that moment (milliseconds since the epoch) lies in the window. */
export function isWithin({ configuration }: TimeWindow, at: number): boolean {
  const start = minutesOf(configuration.start_time);
  const minute = Math.floor(at / 60_000) % DAY;
  return forward(start, minute) < forward(start, minutesOf(configuration.end_time));
}

/**
 * The hours that both windows have.
 * @returns undefined where there are none, or where they are two stretches, which no window can say.
 */
export function common(left: TimeWindow, right: TimeWindow): TimeWindow | undefined {
  const stretches = [...stretchFrom(left, right), ...stretchFrom(right, left)];
  const [only, ...others] = stretches.filter(
    (one, place) => stretches.findIndex(({ start }) => start === one.start) === place,
  );
  if (only === undefined || others.length > 0) return undefined;
  return {
    type: 'time_range',
    configuration: { start_time: clockTime(only.start), end_time: clockTime(only.end) },
  };
}

/** A common stretch begins where one of the two begins inside the other, and ends where the first of them does. */
function stretchFrom(other: TimeWindow, one: TimeWindow): { start: number; end: number }[] {
  const start = minutesOf(one.configuration.start_time);
  const begun = forward(minutesOf(other.configuration.start_time), start);
  const length = lengthOf(other);
  if (begun >= length) return [];
  return [{ start, end: (start + Math.min(length - begun, lengthOf(one))) % DAY }];
}

function lengthOf({ configuration }: TimeWindow): number {
  return forward(minutesOf(configuration.start_time), minutesOf(configuration.end_time));
}

/** Minutes from one time of day to the next of the other. */
function forward(from: number, to: number): number {
  return (to - from + DAY) % DAY;
}

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function clockTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
