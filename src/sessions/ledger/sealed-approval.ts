import { plainJson } from '../../kernel/json/json';
import type { ReviewView } from '../../approvals/reviews/requests/review.dto';
import type { Values } from './ledger-entry';

/**
 * Returns the part of a review that does not change after its session ended: the request and the decisions.
 * The status is left out, because it still changes: a used approval is revoked, or expires. The audit log
 * records each change of the status that a person makes.
 */
export function approvalIn(review: ReviewView): Values {
  const { id, type, access_duration, access_request_rule_name, min_approvals, force_approval_groups } =
    review;
  const votes = review.review_groups_data
    .filter(({ reviewed_by }) => reviewed_by !== null)
    .map(({ group, status, forced_review, review_date, reviewed_by }) => ({
      group,
      status,
      forced_review,
      review_date,
      reviewed_by,
    }));
  const asked = { access_duration, access_request_rule_name, min_approvals, force_approval_groups };
  const { created_at, time_window } = review;
  // Added only for an emergency, because entries from before emergencies existed have no such field.
  const emergency = review.emergency ? { emergency: true, force_reason: review.force_reason } : {};
  return plainJson({ id, type, ...asked, created_at, time_window, votes, ...emergency }) as Values;
}
