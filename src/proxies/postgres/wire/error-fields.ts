import { message, text } from './message';

/** Severity of an error: ERROR ends the command, FATAL ends the session. */
export type ErrorSeverity = 'ERROR' | 'FATAL' | 'PANIC';
export type NoticeSeverity = 'WARNING' | 'NOTICE' | 'DEBUG' | 'INFO' | 'LOG';

/**
 * Fields of an ErrorResponse or a NoticeResponse. Source: PostgreSQL documentation, "Error and Notice Message
 * Fields".
 */
export interface ReportFields<Severity extends string> {
  readonly severity: Severity;
  /** SQLSTATE, five characters. */
  readonly code: string;
  /** One plain sentence. */
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

export type ErrorFields = ReportFields<ErrorSeverity>;
export type NoticeFields = ReportFields<NoticeSeverity>;

export function errorResponse(fields: ErrorFields): Buffer {
  return message('E', ...fieldsOf(fields));
}

export function noticeResponse(fields: NoticeFields): Buffer {
  return message('N', ...fieldsOf(fields));
}

/** Writes the severity twice: `S` is the field that may be translated, `V` the field that never is. */
function fieldsOf({ severity, code, message, detail, hint }: ReportFields<string>): Buffer[] {
  const letters = { S: severity, V: severity, C: code, M: message, D: detail, H: hint };
  const fields = Object.entries(letters).flatMap(([letter, value]) =>
    value === undefined ? [] : [text(letter + value)],
  );
  return [...fields, text('')];
}

/** Returns the fields of an error that ends the connection. */
export function fatalFields(code: string, message: string) {
  return { severity: 'FATAL', code, message } as const;
}
