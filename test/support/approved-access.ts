import type { DataPath } from './data-path';
import type { Answer, Person, TestGateway } from './gateway';

export interface Decision {
  readonly status: 'APPROVED' | 'REJECTED' | 'REVOKED';
  readonly time_window?: { type: 'time_range'; configuration: { start_time: string; end_time: string } };
}

/** Returns a time window of an approval. `from` and `to` are minutes from now. */
export function hoursFromNow(from: number, to: number): NonNullable<Decision['time_window']> {
  const [start_time = '', end_time = ''] = [from, to].map((minutes) =>
    new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16),
  );
  return { type: 'time_range', configuration: { start_time, end_time } };
}

export function decide(
  gateway: TestGateway,
  person: Person,
  id: string,
  decision: Decision,
): Promise<Answer> {
  return gateway.call(person, 'PUT', `/reviews/${id}`, decision);
}

/** Approves as both people that the rule of `approvedConnection` requires. */
export async function approve(
  gateway: TestGateway,
  id: string,
  more: Omit<Decision, 'status'> = {},
): Promise<void> {
  for (const [person, said] of [
    ['bob', more],
    ['admin', {}],
  ] as const) {
    const answer = await decide(gateway, person, id, { status: 'APPROVED', ...said });
    if (answer.status !== 200) throw new Error(`${person} could not approve: ${answer.text}`);
  }
}

let count = 0;

/**
 * Creates a connection whose clients need two approvals: one by group dba, one by group admin. Returns its
 * name; the rule has the same name.
 */
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

/** Returns the stored row of a review. */
export async function reviewRow(gateway: TestGateway, id: string): Promise<Record<string, unknown>> {
  const [row] = await gateway.database.query<Record<string, unknown>>('SELECT * FROM reviews WHERE id = $1', [
    id,
  ]);
  if (row === undefined) throw new Error(`there is no review ${id}`);
  return row;
}

/** Returns the caller's own credential from the list of credentials. */
export async function listed(gateway: TestGateway, person: Person, id: string): Promise<Answer['body']> {
  const { body } = await gateway.call(person, 'GET', '/connection-credentials');
  return body.data.find((item: { id: string }) => item.id === id);
}
