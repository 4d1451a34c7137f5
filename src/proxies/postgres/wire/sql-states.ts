import type { ErrorCode } from '../../../kernel/app-error';

/** SQLSTATEs of the gateway's error codes. Source: PostgreSQL documentation, "PostgreSQL Error Codes". */
export const SQL_STATES: Record<ErrorCode, string> = {
  malformed: '08P01',
  unauthenticated: '28P01',
  forbidden: '42501',
  not_found: '3D000',
  conflict: '55006',
  precondition_failed: '55000',
  payload_too_large: '54000',
  unprocessable: '22023',
  too_many_requests: '53300',
  internal: 'XX000',
  unavailable: '57P03',
};
