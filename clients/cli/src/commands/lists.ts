import { answered, type components } from '@access-gateway/client';
import type { Context } from '../context.js';

/** `gateway connections` */
export async function connections({ gateway, output }: Context, search: string | undefined): Promise<void> {
  const found: components['schemas']['ConnectionView'][] = [];
  for await (const one of gateway.each('/connections', search === undefined ? {} : { search }))
    found.push(one);
  output.table(
    found,
    ['NAME', 'KIND', 'STATUS', 'DESCRIPTION'],
    found.map((one) => [one.name, one.subtype, one.status, one.description]),
  );
}

/** `gateway kinds`: lists the kinds of connections, and the address for clients of each kind. */
export async function kinds({ gateway, output }: Context): Promise<void> {
  const found = await answered(gateway.api.GET('/connection-kinds'));
  output.table(
    found,
    ['KIND', 'TYPE', 'TITLE', 'SECRET', 'ADDRESS'],
    found.data.map((kind) => [
      kind.subtype,
      kind.type,
      kind.title,
      kind.secret_fields.flatMap(({ name, required }) => (required ? [name] : [])).join(' '),
      kind.client_endpoint?.url_template,
    ]),
  );
}

export interface RequestOptions {
  readonly mine?: 'to_decide' | 'to_sign_off' | 'requested';
  readonly all?: boolean;
}

/** `gateway requests`: lists requests that wait for a decision or a sign-off, newest first. */
export async function requests(
  { gateway, output }: Context,
  { mine, all = false }: RequestOptions,
): Promise<void> {
  const found: components['schemas']['RequestView'][] = [];
  const query = mine === undefined ? {} : { mine };
  for await (const one of gateway.each('/reviews', query))
    if (all || mine === 'to_sign_off' || one.status === 'PENDING') found.push(one);
  output.table(
    found,
    ['ID', 'STATUS', 'CONNECTION', 'WHO', 'WHAT', 'RULE', 'REASON'],
    found.map((one) => [
      one.id,
      `${one.status}${markOf(one)}`,
      one.connection.name,
      one.review_owner?.email,
      whatOf(one),
      one.access_request_rule_name,
      one.reason,
    ]),
  );
}

const MAX_WHAT = 60;

/** The beginning of what would run; `access` for access for a while; empty once the review is over. */
function whatOf({ call, script_start: script, type }: components['schemas']['RequestView']): string {
  if (type === 'jit') return 'access';
  const whole = call ? `${call.name} ${call.arguments ?? ''}`.trimEnd() : (script ?? '');
  const shown = Array.from(whole);
  return shown.length > MAX_WHAT ? `${shown.slice(0, MAX_WHAT - 1).join('')}…` : whole;
}

/** Returns the text that marks a review as an emergency or a forced approval. */
function markOf(review: Pick<components['schemas']['RequestView'], 'emergency' | 'after_review'>): string {
  if (review.emergency) return ' (emergency)';
  return review.after_review ? ' (forced)' : '';
}

/** `gateway sign-off` */
export async function signOff({ gateway, output }: Context, id: string, comment: string): Promise<void> {
  const params = { path: { id } };
  const review = await answered(gateway.api.POST('/reviews/{id}/sign-off', { params, body: { comment } }));
  output.fields(review, { id: review.id, status: review.status, 'second look': review.after_review });
}

/** `gateway approve` and `gateway reject` */
export async function decide(
  { gateway, output }: Context,
  id: string,
  body: components['schemas']['ReviewBody'],
): Promise<void> {
  const review = await answered(gateway.api.PUT('/reviews/{id}', { params: { path: { id } }, body }));
  output.fields(review, { id: review.id, status: review.status });
}

export interface WhyOptions {
  readonly user?: string;
  readonly verb?: 'connect' | 'exec';
}

/** `gateway policy why`: shows whether a user may open a connection, and why. */
export async function why(
  { gateway, output }: Context,
  connection: string,
  query: WhyOptions,
): Promise<void> {
  const policy = await answered(
    gateway.api.GET('/connections/{nameOrID}/effective-policy', {
      params: { path: { nameOrID: connection }, query },
    }),
  );
  output.fields(policy, {
    connection: policy.connection,
    user: policy.user,
    outcome: policy.outcome,
    reasons: policy.reasons.map(({ message }) => message).join('; '),
    guardrails: policy.guardrails.map(({ name }) => name),
    'access rules': policy.access_rules.map(({ name }) => name),
    reviewers: policy.reviewers_groups,
  });
}
