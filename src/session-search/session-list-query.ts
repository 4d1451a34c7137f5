import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { isISO8601, isUUID } from 'class-validator';
import { isStorable } from '../http/fields';
import { AppError } from '../kernel/app-error';
import { NAME_RULE, isName, normalizedName } from '../kernel/names';
import { REVIEW_STATUSES, type ReviewStatus } from '../reviews/review.dto';
import { MAX_QUERY, type TextQuery, readTextQuery } from './text-query';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
const MAX_OFFSET = 10_000;
const MAX_TEXT = 256;
const VERBS = ['connect', 'exec'] as const;
const STATUSES = ['open', 'ready', 'done'] as const;
const COUNTS = ['capped', 'exact', 'none'] as const;

/** Filters of the list of sessions. All of them must hold (contract, "GET /sessions"). */
export interface SessionFilters {
  /** Subject identifier or e-mail. */
  readonly user: string | undefined;
  readonly connection: string | undefined;
  readonly type: string | undefined;
  readonly verb: (typeof VERBS)[number] | undefined;
  readonly status: (typeof STATUSES)[number] | undefined;
  /** Limits for the start of the session, to the millisecond, both included. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly reviewStatus: ReviewStatus | undefined;
  /** Subject identifier or e-mail of a person who approved. */
  readonly reviewApprover: string | undefined;
  readonly batchId: string | undefined;
  readonly correlationId: string | undefined;
  /** Id or name of a guardrail that blocked something in the session. */
  readonly guardrail: string | undefined;
  /** Words of one of its recorded inputs. */
  readonly text: TextQuery | undefined;
}

export interface SessionListQuery extends SessionFilters {
  readonly limit: number;
  readonly offset: number;
  readonly count: (typeof COUNTS)[number];
  /** The parameters as they were given. */
  readonly given: Readonly<Record<string, unknown>>;
}

type Raw = Readonly<Record<string, unknown>>;
type Reader = (text: string, name: string) => unknown;

/** How each parameter is read and documented. */
const parameters = {
  limit: {
    read: integer(1, MAX_LIMIT),
    description: 'Sessions on a page.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  offset: {
    read: integer(0, MAX_OFFSET),
    description:
      'Sessions to skip. Sessions that begin meanwhile move those before them: for pages that stay as they are, and to read beyond the last offset, give `end_date` too.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0 },
  },
  count: {
    read: oneOf(COUNTS),
    description: '`capped` counts up to 10 000; `exact` counts all; `none` counts nothing.',
    schema: { type: 'string', enum: [...COUNTS], default: 'capped' },
  },
  user: {
    read: text,
    description: 'Subject identifier or e-mail of who ran the session, exactly.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  connection: {
    read: name,
    description: 'Name of the connection, exactly.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  type: {
    read: text,
    description: 'Connection type of the session.',
    schema: { type: 'string', maxLength: MAX_TEXT, example: 'database' },
  },
  verb: { read: oneOf(VERBS), description: 'Verb.', schema: { type: 'string', enum: [...VERBS] } },
  status: { read: oneOf(STATUSES), description: 'Status.', schema: { type: 'string', enum: [...STATUSES] } },
  start_date: {
    read: time,
    description: 'Sessions that started at this time (RFC 3339) or later.',
    schema: { type: 'string', format: 'date-time' },
  },
  end_date: {
    read: time,
    description: 'Sessions that started at this time (RFC 3339) or earlier.',
    schema: { type: 'string', format: 'date-time' },
  },
  'review.status': {
    read: oneOf(REVIEW_STATUSES),
    description:
      'Status of the review that the session waited for, or that gave the access by which it came.',
    schema: { type: 'string', enum: [...REVIEW_STATUSES] },
  },
  'review.approver': {
    read: text,
    description:
      'Subject identifier or e-mail of somebody who approved it, or the access by which it came, exactly.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  batch_id: {
    read: text,
    description: 'The `session_batch_id` of the session.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  correlation_id: {
    read: text,
    description: 'The `correlation_id` of the session.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  guardrail: {
    read: idOrName,
    description:
      'A guardrail that blocked something in the session: its id or, for auditors and admins, its name.',
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  q: {
    read: readTextQuery,
    description:
      'Searches what was put in: sessions of which one recorded input has all of these words, in any case. `"several words"` must follow each other, `begin*` is the beginning of a word, `-word` and `-"several words"` must not be there. All signs only part words: `public.orders` is two that follow each other. Regular users search their own sessions. Each search is put on the audit log.',
    schema: { type: 'string', maxLength: MAX_QUERY, example: '"drop table" -temp*' },
  },
} satisfies Record<string, { read: Reader; description: string; schema: object }>;

type Name = keyof typeof parameters;

/** @throws AppError `unprocessable` that names the parameter; `malformed` for one that the list does not have. */
export function readSessionListQuery(raw: Raw): SessionListQuery {
  const unknown = Object.keys(raw).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) throw new AppError('malformed', `unknown query parameter ${unknown}`);
  const given = <N extends Name>(name: N): ReturnType<(typeof parameters)[N]['read']> | undefined => {
    const value = raw[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw refusal(name, 'be given once');
    // The reader of that name returns what its own entry says.
    return parameters[name].read(value, name) as ReturnType<(typeof parameters)[N]['read']>;
  };
  return {
    limit: given('limit') ?? DEFAULT_LIMIT,
    offset: given('offset') ?? 0,
    count: given('count') ?? 'capped',
    given: Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== '')),
    user: given('user'),
    connection: given('connection'),
    type: given('type'),
    verb: given('verb'),
    status: given('status'),
    from: given('start_date'),
    to: given('end_date'),
    reviewStatus: given('review.status'),
    reviewApprover: given('review.approver'),
    batchId: given('batch_id'),
    correlationId: given('correlation_id'),
    guardrail: given('guardrail'),
    text: given('q'),
  };
}

/** Documents the parameters that `readSessionListQuery` reads. */
export function ApiSessionListQuery(): MethodDecorator {
  return applyDecorators(
    ...Object.entries(parameters).map(([name, { description, schema }]) =>
      ApiQuery({ name, description, schema: schema as object, required: false }),
    ),
  );
}

function refusal(name: string, rule: string): AppError {
  return new AppError('unprocessable', `${name} must ${rule}`);
}

function integer(min: number, max: number) {
  return (value: string, name: string): number => {
    if (/^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    throw refusal(name, `be a whole number from ${min} to ${max}`);
  };
}

function oneOf<T extends string>(allowed: readonly T[]) {
  return (value: string, name: string): T => {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw refusal(name, `be one of ${allowed.join(', ')}`);
    return found;
  };
}

function text(value: string, name: string): string {
  if (value.length <= MAX_TEXT && isStorable(value)) return value;
  throw refusal(name, `be a text of up to ${MAX_TEXT} characters`);
}

/** In the form in which names are stored. */
function name(value: string, parameter: string): string {
  const found = normalizedName(text(value, parameter));
  if (!isName(found)) throw refusal(parameter, NAME_RULE);
  return found;
}

function idOrName(value: string, parameter: string): string {
  return isUUID(value) ? value.toLowerCase() : name(value, parameter);
}

/** A time must have a zone: without one it would depend on the machine. */
function time(value: string, name: string): Date {
  const hasZone = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.test(value);
  const read = new Date(value);
  if (hasZone && isISO8601(value.toUpperCase(), { strict: true }) && !Number.isNaN(read.getTime()))
    return read;
  throw refusal(name, 'be a time such as 2026-01-31T08:00:00Z');
}
