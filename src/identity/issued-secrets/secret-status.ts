import { AppError } from '../../kernel/app-error';

export const SECRET_STATUSES = ['active', 'expired', 'revoked'] as const;

export type SecretStatus = (typeof SECRET_STATUSES)[number];

/** @param now milliseconds since 1970 */
export function secretStatus(
  { expiresAt, revokedAt }: { readonly expiresAt: Date | null; readonly revokedAt: Date | null },
  now: number,
): SecretStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'active';
}

/** Parses the time of expiry of a secret. @throws AppError `unprocessable` if it is not in the future */
export function futureTime(given: string, now: number): Date {
  const date = new Date(given);
  if (date.getTime() <= now) throw new AppError('unprocessable', 'expires_at must be in the future');
  return date;
}
