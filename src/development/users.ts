import type { DevelopmentUserEntry } from './identity-provider/development-user';

/** The people of the development identity provider: at least one for each role. */
export const developmentUsers: DevelopmentUserEntry[] = [
  {
    username: 'admin',
    email: 'admin@example.com',
    emailVerified: true,
    name: 'Ada Admin',
    groups: ['admin'],
  },
  {
    username: 'auditor',
    email: 'auditor@example.com',
    emailVerified: true,
    name: 'Otto Auditor',
    groups: ['auditor'],
  },
  {
    username: 'alice',
    email: 'alice@example.com',
    emailVerified: true,
    name: 'Alice Engineer',
    groups: ['engineering'],
  },
  { username: 'bob', email: 'bob@example.com', emailVerified: true, name: 'Bob Operator', groups: ['dba'] },
];
