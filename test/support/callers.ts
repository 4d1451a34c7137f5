import type { Answer, TestGateway } from './gateway';

/** Sends a request with the bearer token. */
export function as(
  gateway: TestGateway,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return gateway.call(null, method, path, body, { authorization: `Bearer ${token}` });
}

/** The principal that the gateway sees for a token. */
export function whoIs(gateway: TestGateway, token: string): Promise<Answer> {
  return as(gateway, token, 'GET', '/userinfo');
}

export interface UserRow {
  subject: string;
  email: string;
  name: string;
  status: string;
  org: string;
}

export function usersOf(gateway: TestGateway): Promise<UserRow[]> {
  return gateway.database.query<UserRow>(
    `SELECT u.subject, u.email, u.name, u.status, o.name AS org
     FROM users u JOIN organizations o ON o.id = u.org_id ORDER BY u.subject`,
  );
}

/** Returns the user's memberships as `source:group`, in order. */
export async function groupsOf(gateway: TestGateway, subject: string): Promise<string[]> {
  const rows = await gateway.database.query<{ membership: string }>(
    `SELECT g.source || ':' || g.group_name AS membership FROM user_groups g JOIN users u ON u.id = g.user_id
     WHERE u.subject = $1 ORDER BY 1`,
    [subject],
  );
  return rows.map((row) => row.membership);
}
