import type { EntityManager } from 'typeorm';
import { AppError } from '../../../kernel/app-error';

/** @throws AppError `conflict` when the organization has no active admin. */
export async function requireAnAdmin(db: EntityManager, orgId: string, adminGroup: string): Promise<void> {
  if (!(await hasAnAdmin(db, orgId, adminGroup)))
    throw new AppError('conflict', 'the last active admin cannot be removed');
}

export async function hasAnAdmin(db: EntityManager, orgId: string, adminGroup: string): Promise<boolean> {
  const [one] = await db.query<object[]>(
    `SELECT 1 FROM users JOIN user_groups ON user_groups.org_id = users.org_id AND user_groups.user_id = users.id
     WHERE users.org_id = $1 AND users.status = 'active' AND user_groups.group_name = $2 LIMIT 1`,
    [orgId, adminGroup],
  );
  return one !== undefined;
}
