import { type TimeWindow, isWithin } from './time-window';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether the hours of a grant allow its use at a given time. `until`: when these hours end; null: never. */
export type GrantHours =
  | { readonly kind: 'open'; readonly until: Date | null }
  | { readonly kind: 'closed'; readonly message: string };

export function hoursAt(window: TimeWindow | null, at: Date): GrantHours {
  if (window === null) return { kind: 'open', until: null };
  const { start_time, end_time } = window.configuration;
  if (!isWithin(window, at.getTime()))
    return { kind: 'closed', message: `the approval can be used from ${start_time} to ${end_time} UTC only` };
  const [hours, minutes] = end_time.split(':');
  const midnight = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
  const today = midnight + (Number(hours) * 60 + Number(minutes)) * 60_000;
  return { kind: 'open', until: new Date(today > at.getTime() ? today : today + DAY_MS) };
}
