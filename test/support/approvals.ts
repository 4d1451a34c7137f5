import { Principals } from '../../src/auth/principals';
import type { Change } from '../../src/http/change';
import { ReviewDecisions } from '../../src/reviews/review-decisions';
import type { DataPath } from './data-path';
import type { Answer, Person, TestGateway } from './gateway';

export interface Decision {
  readonly status: 'APPROVED' | 'REJECTED' | 'REVOKED';
  readonly time_window?: { type: 'time_range'; configuration: { start_time: string; end_time: string } };
}

export async function decide(
  gateway: TestGateway,
  person: Person,
  id: string,
  { status, time_window }: Decision,
): Promise<void> {
  await gateway.call(person, 'GET', '/userinfo');
  const [{ id: userId }] = (await gateway.database.query<{ id: string }>(
    'SELECT id FROM users WHERE subject = $1',
    [person],
  )) as [{ id: string }];
  const actor = await gateway.app
    .get(Principals, { strict: false })
    .current({ identityType: 'user', userId });
  const change: Change = { actor, record: async () => undefined, concerns: () => undefined };
  const decisions = gateway.app.get(ReviewDecisions, { strict: false });
  if (status === 'APPROVED')
    await decisions.approve(change, id, { forced: false, timeWindow: time_window ?? null });
  else if (status === 'REJECTED') await decisions.reject(change, id, null);
  else await decisions.revoke(change, id);
}

/** Both people that the rule of `approvedConnection` wants. */
export async function approve(
  gateway: TestGateway,
  id: string,
  more: Omit<Decision, 'status'> = {},
): Promise<void> {
  await decide(gateway, 'bob', id, { status: 'APPROVED', ...more });
  await decide(gateway, 'admin', id, { status: 'APPROVED' });
}

let count = 0;

/** A connection whose clients need the approval of two people, of dba and admin. Returns its name, which the rule has too. */
export async function approvedConnection(
  path: DataPath,
  rule: object = {},
  connection: object = {},
): Promise<string> {
  const name = `approved-${++count}`;
  await path.connect(name, connection);
  const answer = await path.gateway.call('admin', 'POST', '/access-requests/rules', {
    name,
    access_type: 'jit',
    reviewers_groups: ['dba', 'admin'],
    min_approvals: 2,
    access_max_duration: 7_200,
    connection_names: [name],
    ...rule,
  });
  if (answer.status !== 201) throw new Error(`the rule was not created: ${answer.text}`);
  return name;
}

/** What of the review is shown with it. */
export async function reviewRow(gateway: TestGateway, id: string): Promise<Record<string, unknown>> {
  const [row] = await gateway.database.query<Record<string, unknown>>('SELECT * FROM reviews WHERE id = $1', [
    id,
  ]);
  if (row === undefined) throw new Error(`there is no review ${id}`);
  return row;
}

/** The caller's own credential, as it is listed. */
export async function listed(gateway: TestGateway, person: Person, id: string): Promise<Answer['body']> {
  const { body } = await gateway.call(person, 'GET', '/connection-credentials');
  return body.data.find((item: { id: string }) => item.id === id);
}
