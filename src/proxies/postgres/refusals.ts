import type { InputRefusal } from '../../gate/refusal';
import type { UnreadableCell } from './binary/cell-text';

/** Why something was refused, as the client is told. */
export interface Refused {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** Source: PostgreSQL documentation, "PostgreSQL Error Codes". */
const codes: Readonly<Record<InputRefusal['reason'], string>> = {
  // insufficient_privilege
  access: '42501',
  guardrail: '42501',
  // system_error
  fault: '58000',
};

export function refusedBy({ reason, message }: InputRefusal): Refused {
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

const UNKNOWN_TYPES =
  'a rule looks at them and it could not be learned which types they have; send the COPY in a message of its own, with backslashes in strings of the form E only, or copy in the format text or csv.';

export const BINARY_COPY: Refused = {
  code: '42501',
  message: `The data of this COPY cannot be delivered in binary form, because ${UNKNOWN_TYPES}`,
};

export const BINARY_COPY_IN: Refused = {
  code: '42501',
  message: `The data of this COPY cannot be taken in binary form, because ${UNKNOWN_TYPES}`,
};

/** bad_copy_file_format: the server says so too, of what it reads. */
export const MALFORMED_COPY: Refused = {
  code: '22P04',
  message:
    'The data of COPY are not in the binary form that its columns have, so no rule can be applied to them.',
};

/** A cell that no rule can look at. */
export function unreadable(
  { cell, reason }: UnreadableCell,
  name: string | undefined,
  type: string | undefined,
): Refused {
  const column = name === undefined ? `Column ${cell + 1}` : `Column "${name}"`;
  const of = type === undefined ? '' : ` of type ${type}`;
  return {
    code: '42501',
    message: `${column}${of} cannot be delivered in binary form, because ${reason}; ask for it as text.`,
  };
}
