import type { components } from '../api/schema';

export type User = components['schemas']['UserView'];

export const USER_STATUS_COLORS: Readonly<Record<User['status'], string>> = {
  active: 'green',
  inactive: 'gray',
};
export const USER_STATUSES: readonly User['status'][] = ['active', 'inactive'];
