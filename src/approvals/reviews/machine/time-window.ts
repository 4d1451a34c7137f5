/** A range of hours on each day. */
export interface TimeWindow {
  readonly type: 'time_range';
  /** HH:MM in UTC, start inclusive, end exclusive; may cross midnight. Start and end are never equal. */
  readonly configuration: { readonly start_time: string; readonly end_time: string };
}

/** HH:MM on a 24-hour clock. */
export const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const DAY = 24 * 60;

/** A range of minutes within one day, `from` inclusive and `to` exclusive; `from < to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Whether a moment (milliseconds since the epoch) lies in the window. */
export function isWithin(window: TimeWindow, at: number): boolean {
  const minute = Math.floor(at / 60_000) % DAY;
  return stretchesOf(window).some(({ from, to }) => from <= minute && minute < to);
}

/**
 * Returns the hours that all windows have in common; null if there is no window.
 * @returns undefined if no hours are common, or if they are separate ranges, which one window cannot express.
 */
export function commonHours(windows: readonly TimeWindow[]): TimeWindow | null | undefined {
  if (windows.length === 0) return null;
  const whole: readonly Stretch[] = [{ from: 0, to: DAY }];
  const common = windows.map(stretchesOf).reduce(inBoth, whole);
  const [first, second, ...others] = [...common].sort((left, right) => left.from - right.from);
  if (first === undefined || others.length > 0) return undefined;
  if (second === undefined) return windowOf(first.from, first.to);
  return first.from === 0 && second.to === DAY ? windowOf(second.from, first.to) : undefined;
}

/** Returns the window as one range of minutes, or as two ranges if it crosses midnight. */
function stretchesOf({ configuration }: TimeWindow): Stretch[] {
  const from = minutesOf(configuration.start_time);
  const to = minutesOf(configuration.end_time);
  if (from < to) return [{ from, to }];
  return [
    { from: 0, to },
    { from, to: DAY },
  ].filter((stretch) => stretch.from < stretch.to);
}

function inBoth(left: readonly Stretch[], right: readonly Stretch[]): Stretch[] {
  return left.flatMap((one) =>
    right
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  );
}

function windowOf(from: number, to: number): TimeWindow {
  return {
    type: 'time_range',
    configuration: { start_time: clockTime(from), end_time: clockTime(to % DAY) },
  };
}

function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function clockTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
