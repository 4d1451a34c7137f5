import { attribute, shownText } from '../../../platform/http/pages/page';
import type { PageOffers } from '../requests/page-offers';
import { MAX_REASON } from '../requests/review-body.dto';
import type { RequestView } from '../requests/request.dto';
import type { ReviewGroupView } from '../requests/review.dto';
import { type ReviewStatus, stateWords } from '../machine/review-state';

/** Content of the page of a review. */
export interface ReviewPageView {
  readonly review: RequestView;
  readonly offers: PageOffers;
  readonly person: { readonly name: string; readonly email: string };
  /** Proof for the form of the page; see `PageVisitor`. */
  readonly proof: string;
}

export function reviewPageTitle({ review, offers }: Pick<ReviewPageView, 'review' | 'offers'>): string {
  const { call, connection } = review;
  const what = call === null ? 'this request' : `the call of ${call.name}`;
  return offers.approve || offers.reject
    ? `Decide on ${what} on ${connection.name}`
    : `Request for ${connection.name}: ${call?.name ?? review.type}`;
}

/** Returns the body of the page as HTML. */
export function reviewPageBody({ review, offers, person, proof }: ReviewPageView): string {
  const { call } = review;
  return `<p class="state" role="status">${shownText(stateOf(review))}</p>
<dl>
${row('Who asks', personOf(review.review_owner))}
${row('Connection', shownText(review.connection.name))}
${call === null ? row('What', review.type === 'jit' ? 'Access for a while' : 'A script') : rowsOf(call)}
${row('Rule by which people are asked', shownText(review.access_request_rule_name))}
${review.reason === null ? '' : row('Reason, in the words of who asks', shownText(review.reason))}
${groupRows(review.review_groups_data)}
${review.rejection_reason === null ? '' : row('Reason of the decision', shownText(review.rejection_reason))}
${row('Asked at', timeOf(review.created_at))}
${review.status === 'PENDING' ? row('Ends, if nobody decides, at', timeOf(review.expires_at)) : ''}
${row('You are signed in as', personOf(person))}
</dl>
${formOf(review, offers, proof)}`;
}

/** Renders a call. Its arguments are shown whole, without scrolling, so that nobody approves unseen text. */
function rowsOf(call: NonNullable<RequestView['call']>): string {
  const given =
    call.arguments === null
      ? '<span>Deleted here when the review ended. The recording of the session has them.</span>'
      : `<pre>${shownText(call.arguments)}</pre>`;
  const fingerprint =
    call.fingerprint === null
      ? ''
      : row('Fingerprint of the tool', `<code>${shownText(call.fingerprint)}</code>`);
  return `${row('Tool', shownText(call.name))}
${row('Arguments', given)}
${fingerprint}`;
}

function groupRows(groups: readonly ReviewGroupView[]): string {
  const lines = groups.map(({ group, status, reviewed_by, forced_review }) => {
    const by = reviewed_by === null ? '' : ` by ${shownText(reviewed_by.name)}`;
    return `${shownText(group)}: <span>${WORDS[status]}${by}${forced_review ? ', forced' : ''}</span>`;
  });
  return lines.length === 0 ? '' : row('Who decides', lines.join('<br>'));
}

function formOf({ id }: RequestView, offers: PageOffers, proof: string): string {
  if (!offers.approve && !offers.reject) return '';
  const approve = offers.approve
    ? '<button class="allow" name="decision" value="approve">Approve</button>\n'
    : '';
  return `<form method="post" action="${attribute(id)}">
<input type="hidden" name="proof" value="${attribute(proof)}">
<label>Reason, if you reject
<textarea name="reason" maxlength="${MAX_REASON}" rows="3"></textarea></label>
${approve}<button name="decision" value="reject">Reject</button>
</form>
<p class="note">An approval is good once, for exactly this call.</p>`;
}

const WORDS: Readonly<Record<ReviewStatus, string>> = {
  PENDING: 'has not decided',
  APPROVED: 'approved',
  REJECTED: 'rejected',
  REVOKED: 'revoked',
  PROCESSING: 'approved',
  EXECUTED: 'approved',
  UNKNOWN: 'approved',
  EXPIRED: 'did not decide',
};

function stateOf({ status, review_groups_data: groups }: RequestView): string {
  if (status !== 'PENDING') return `This request ${stateWords[status]}.`;
  const open = groups.filter((group) => group.status === 'PENDING').map(({ group }) => group);
  return open.length === 0
    ? 'This request waits for a decision.'
    : `This request waits for ${open.join(', ')}.`;
}

function row(name: string, html: string): string {
  return `<div><dt>${name}</dt><dd>${html}</dd></div>`;
}

function personOf({ name, email }: { readonly name: string; readonly email: string }): string {
  return email === '' ? shownText(name) : `${shownText(name)} <span>(${shownText(email)})</span>`;
}

function timeOf(time: Date): string {
  return `<time datetime="${time.toISOString()}">${time.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;
}
