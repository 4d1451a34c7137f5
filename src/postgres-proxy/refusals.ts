import type { Refusal } from '../gate/guarded-trail';

/** Why something was refused, as the client is told. */
export interface Refused {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** Source: PostgreSQL documentation, "PostgreSQL Error Codes". */
const codes: Readonly<Record<Refusal['reason'], string>> = {
  // insufficient_privilege
  access: '42501',
  guardrail: '42501',
  // system_error
  fault: '58000',
};

export function refusedBy({ reason, message }: Refusal): Refused {
  return { code: codes[reason], message };
}

/** In the words of the server, which would refuse it too. */
export const NOT_UTF8: Refused = { code: '22021', message: 'invalid byte sequence for encoding "UTF8"' };

export const ENCODING_IN_DOUBT: Refused = {
  code: '0A000',
  message:
    'After a statement that may change client_encoding, the gateway takes ASCII only until it is synchronized; send Sync first.',
};

export const NO_FUNCTION_CALL: Refused = {
  code: '0A000',
  message:
    'The gateway does not let through function calls by the protocol; call the function in a statement.',
};
