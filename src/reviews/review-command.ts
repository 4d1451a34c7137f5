import { AppError } from '../kernel/app-error';
import type { ReviewBody } from './review-body.dto';
import { CLOCK_TIME, type TimeWindow } from './time-window';

/** What somebody wants to do with a review. */
export type ReviewCommand =
  | { readonly kind: 'approve'; readonly forced: boolean; readonly timeWindow: TimeWindow | null }
  | { readonly kind: 'reject' | 'revoke'; readonly reason: string | null };

/** @throws AppError `malformed` for times that are none; `unprocessable` for what nobody can set, or set together. */
export function commandOf(body: ReviewBody): ReviewCommand {
  const timeWindow = windowOf(body.time_window ?? null);
  const forced = body.force_review ?? false;
  const reason = body.rejection_reason ?? null;
  const { status } = body;
  if (status === 'APPROVED') return { kind: 'approve', forced, timeWindow };
  if (status !== 'REJECTED' && status !== 'REVOKED')
    throw new AppError('unprocessable', 'status can be set to APPROVED, REJECTED or REVOKED only');
  if (forced) throw new AppError('unprocessable', 'force_review goes with the status APPROVED only');
  return { kind: status === 'REJECTED' ? 'reject' : 'revoke', reason };
}

function windowOf(given: ReviewBody['time_window']): TimeWindow | null {
  if (given === null || given === undefined) return null;
  const { start_time, end_time } = given.configuration;
  for (const [name, time] of Object.entries({ start_time, end_time })) {
    if (!CLOCK_TIME.test(time))
      throw new AppError(
        'malformed',
        `time_window.configuration.${name} must be a time of day such as 22:00`,
      );
  }
  if (start_time === end_time)
    throw new AppError('unprocessable', 'time_window must not end when it starts: leave it out for any time');
  return { type: 'time_range', configuration: { start_time, end_time } };
}
