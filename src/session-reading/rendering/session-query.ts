import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { TrailEventType } from '../../gate/ports/session-recorder';
import { AlsoTakesQuery } from '../../http/route-inputs';
import { AppError } from '../../kernel/app-error';

const PARSES = ['utf8', 'base64', 'raw-queries'] as const;
export const TYPES = ['i', 'o', 'e'] as const;
const PARTS = ['event_stream', 'session_input'] as const;

export type Parse = (typeof PARSES)[number];

/** The options of reading one session (specification, section 4.4; contract, "GET /sessions/{session_id}"). */
export interface SessionQuery {
  readonly eventTime: boolean;
  readonly newLine: boolean;
  readonly parse: Parse | undefined;
  /** undefined: the default of the form of the answer. */
  readonly events: readonly TrailEventType[] | undefined;
  readonly withEvents: boolean;
  readonly withScript: boolean;
  /** Asks for the recording as a file with this extension. */
  readonly extension: string | undefined;
}

export const MAX_EXTENSION = 64;

type Raw = Readonly<Record<string, unknown>>;

/** @throws AppError `malformed` that names the parameter. */
export function readSessionQuery(raw: Raw): SessionQuery {
  const parse = single(raw, 'event_stream', PARSES);
  const expand = several(raw, 'expand', PARTS);
  return {
    eventTime: single(raw, 'event-time', ['0', '1']) === '1',
    newLine: (single(raw, 'new_line', ['0', '1']) ?? single(raw, 'newline', ['0', '1'])) === '1',
    parse,
    events: several(raw, 'events', TYPES),
    withEvents: parse !== undefined || expand?.includes('event_stream') === true,
    withScript: expand === undefined || expand.includes('session_input'),
    extension: extensionOf(raw),
  };
}

function single<T extends string>(raw: Raw, name: string, allowed: readonly T[]): T | undefined {
  const value = raw[name];
  if (value === undefined || value === '') return undefined;
  return oneOf(value, name, allowed);
}

/** Repeated, or a comma list, or both. */
function several<T extends string>(raw: Raw, name: string, allowed: readonly T[]): readonly T[] | undefined {
  const value = raw[name];
  if (value === undefined || value === '') return undefined;
  const items = (Array.isArray(value) ? value : [value]).flatMap((item) =>
    typeof item === 'string' ? item.split(',') : [item],
  );
  return [...new Set(items.map((item) => oneOf(item, name, allowed)))];
}

function oneOf<T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new AppError('malformed', `${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function extensionOf(raw: Raw): string | undefined {
  const value = raw['extension'];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= MAX_EXTENSION) return value;
  throw new AppError('malformed', `extension must be a text of up to ${MAX_EXTENSION} characters`);
}

const flag = { type: 'string' as const, enum: ['0', '1'], default: '0' };
const list = (items: readonly string[]) => ({
  type: 'array' as const,
  items: { type: 'string' as const, enum: [...items] },
});

/** Documents the parameters that `readSessionQuery` reads. */
export function ApiSessionQuery(): MethodDecorator {
  const query = (name: string, description: string, schema: object, explode = {}) =>
    ApiQuery({ name, description, required: false, schema, ...explode });
  return applyDecorators(
    AlsoTakesQuery('newline'),
    query('event-time', 'When building file content, prefix each event with its event time.', flag),
    query('new_line', 'When building file content, add a line break after each event.', flag),
    query(
      'event_stream',
      'How the event stream is parsed: `utf8` and `base64` join output and error events into one element; `raw-queries` gives the SQL text of each client message, in base64 as all content of events (postgres only). Implies expanding it.',
      { type: 'string', enum: [...PARSES] },
    ),
    query(
      'events',
      'Event types to include: input, output, error; repeated or comma-separated.',
      list(TYPES),
    ),
    query('expand', 'Names exactly which heavy parts come; repeated or comma-separated.', list(PARTS)),
    query(
      'extension',
      'Download the session as a file: `csv`, `json` (one object per line), `cast` (asciicast v2, for terminal players), `evidence` (to be verified offline), any other value for the plain content.',
      { type: 'string', maxLength: MAX_EXTENSION, example: 'csv' },
    ),
  );
}
