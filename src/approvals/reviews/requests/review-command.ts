import { AppError } from '../../../kernel/app-error';
import { visibleName } from '../../../kernel/text/names';
import type { ReviewBody } from './review-body.dto';
import { CLOCK_TIME, type TimeWindow } from '../machine/time-window';

const SHORTEST_SECONDS = 60;

/** A person's command about a review. */
export type ReviewCommand =
  | {
      readonly kind: 'approve';
      readonly forced: boolean;
      readonly forceReason: string | null;
      readonly timeWindow: TimeWindow | null;
      readonly accessDuration: number | null;
    }
  | { readonly kind: 'reject' | 'revoke'; readonly reason: string | null };

/**
 * @throws AppError `malformed` for invalid times; `unprocessable` for states that cannot be set, or values
 * that cannot be combined.
 */
export function commandOf(body: ReviewBody): ReviewCommand {
  const timeWindow = windowOf(body.time_window ?? null);
  const forced = body.force_review ?? false;
  const reason = body.rejection_reason ?? null;
  const forceReason = body.force_reason ?? null;
  const { status } = body;
  if (forced && status === 'APPROVED' && (forceReason === null || visibleName(forceReason) === ''))
    throw new AppError('unprocessable', 'force_reason is missing: it says why the others are not waited for');
  if (forceReason !== null && !forced)
    throw new AppError('unprocessable', 'force_reason is allowed with force_review only');
  if (status === 'APPROVED')
    return { kind: 'approve', forced, forceReason, timeWindow, accessDuration: durationOf(body) };
  if (status !== 'REJECTED' && status !== 'REVOKED')
    throw new AppError('unprocessable', 'status can be set to APPROVED, REJECTED or REVOKED only');
  if (forced) throw new AppError('unprocessable', 'force_review is allowed with the status APPROVED only');
  return { kind: status === 'REJECTED' ? 'reject' : 'revoke', reason };
}

/** The requested duration; null also for 0, because clients that send back a whole one-time review send 0. */
function durationOf({ access_duration: seconds }: ReviewBody): number | null {
  if (seconds === null || seconds === undefined || seconds === 0) return null;
  if (seconds < SHORTEST_SECONDS)
    throw new AppError('unprocessable', `access_duration must be at least ${SHORTEST_SECONDS} seconds`);
  return seconds;
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
    throw new AppError(
      'unprocessable',
      'time_window must not start and end at the same time; leave it out to allow any time',
    );
  return { type: 'time_range', configuration: { start_time, end_time } };
}
