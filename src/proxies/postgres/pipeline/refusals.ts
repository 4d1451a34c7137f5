import type { InputRefusal, LimitCode } from '../../../gate/refusal';
import type { UnreadableCell } from '../binary/cell-text';
import type { NoticeFields } from '../wire/error-fields';

/** The reason for a refusal, as the client receives it. */
export interface Refused {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** SQLSTATEs by reason. Source: PostgreSQL documentation, "PostgreSQL Error Codes". */
const codes: Readonly<Record<Exclude<InputRefusal['reason'], 'limit'>, string>> = {
  // SQLSTATE insufficient_privilege
  access: '42501',
  guardrail: '42501',
  // SQLSTATE system_error
  fault: '58000',
};

const limitCodes: Readonly<Record<LimitCode, string>> = {
  // SQLSTATE insufficient_resources
  too_many_requests: '53000',
  unavailable: '53000',
  // SQLSTATE statement_too_complex
  unprocessable: '54001',
};

export function refusedBy(refusal: InputRefusal): Refused {
  const { message } = refusal;
  return { code: refusal.reason === 'limit' ? limitCodes[refusal.code] : codes[refusal.reason], message };
}

/** The server's own error for invalid UTF-8. */
export const NOT_UTF8: Refused = { code: '22021', message: 'invalid byte sequence for encoding "UTF8"' };

export const ENCODING_IN_DOUBT: Refused = {
  code: '0A000',
  message:
    'After a statement that may change client_encoding, the gateway takes ASCII only until it is synchronized; send Sync first.',
};

export const NO_FUNCTION_CALL: Refused = {
  code: '0A000',
  message: 'Function calls by protocol message are refused; call the function in an SQL statement.',
};

const UNKNOWN_TYPES =
  'a rule looks at them and their types could not be learned; send the COPY as a message of its own, use backslashes only in E strings, or use the format text or csv.';

export const BINARY_COPY: Refused = {
  code: '42501',
  message: `The data of this COPY cannot be delivered in binary form, because ${UNKNOWN_TYPES}`,
};

export const BINARY_COPY_IN: Refused = {
  code: '42501',
  message: `The data of this COPY cannot be taken in binary form, because ${UNKNOWN_TYPES}`,
};

/** Refusal with SQLSTATE bad_copy_file_format, which the server uses for the same fault. */
export const MALFORMED_COPY: Refused = {
  code: '22P04',
  message: 'The COPY data do not match the binary form of their columns, so no rule can be applied to them.',
};

/** Returns the refusal of a cell that rules cannot check, or that cannot be masked. */
export function unreadable(
  { cell, reason, form }: UnreadableCell,
  name: string | undefined,
  type: string | undefined,
): Refused {
  const column = name === undefined ? `Column ${cell + 1}` : `Column "${name}"`;
  const of = type === undefined ? '' : ` of type ${type}`;
  const why =
    form === 'any'
      ? `cannot be delivered, because ${reason}.`
      : `cannot be delivered in binary form, because ${reason}; ask for it as text.`;
  return { code: '42501', message: `${column}${of} ${why}` };
}

/**
 * `application_name` of PostgreSQL's dump programs. They do not show the warning about masked values, so a
 * dump with masked values is refused.
 */
export const DUMP_PROGRAMS: ReadonlySet<string | undefined> = new Set(['pg_dump', 'pg_dumpall']);

export const MASKED_DUMP: Refused = {
  code: '42501',
  message:
    'A guardrail masks values of this result, so the dump would be no copy of the data. ' +
    'To have it with the masks, run the program with another name in PGAPPNAME.',
};

/**
 * Returns the warning that follows copied or fetched rows with masked values, because the client may load the
 * rows into another database.
 */
export function maskedWarning(tag: string, count: number): NoticeFields | undefined {
  if (count === 0 || !/^(?:COPY|FETCH) /.test(tag)) return undefined;
  const values = count === 1 ? '1 match was masked' : `${count} matches were masked`;
  return {
    severity: 'WARNING',
    code: '01000',
    message: `${values} in this result: it is no copy of the data.`,
  };
}
