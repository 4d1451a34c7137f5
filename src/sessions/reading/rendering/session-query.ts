import { IsIn, IsOptional } from 'class-validator';
import type { TrailEventType } from '../../../gate/ports/session-recorder';
import {
  QueryChoice,
  QueryChoices,
  QueryField,
  StrictQuery,
  itemsOf,
} from '../../../platform/http/dto/query-fields';

const FLAGS = ['0', '1'] as const;
const PARSES = ['utf8', 'base64', 'raw-queries'] as const;
export const TYPES = ['i', 'o', 'e'] as const;
const PARTS = ['event_stream', 'session_input'] as const;
export const MAX_EXTENSION = 64;

export type Parse = (typeof PARSES)[number];
type Flag = (typeof FLAGS)[number];

/** The unconverted parameters of `GET /sessions/{session_id}` (specification, section 4.4; contract). */
export class SessionQuery extends StrictQuery {
  @QueryChoice(FLAGS, {
    description: 'When building file content, prefix each event with its event time.',
    default: '0',
  })
  'event-time'?: Flag;

  @QueryChoice(FLAGS, {
    description: 'When building file content, add a line break after each event.',
    default: '0',
  })
  new_line?: Flag;

  // Second spelling of `new_line` (specification). Only `new_line` is documented.
  @IsOptional()
  @IsIn(FLAGS, { message: `$property must be one of ${FLAGS.join(', ')}` })
  newline?: Flag;

  @QueryChoice(PARSES, {
    description:
      'How the event stream is parsed: `utf8` and `base64` join output and error events into one element; `raw-queries` gives the SQL text of each client message, in base64 as all content of events (postgres only). Implies expanding it.',
  })
  event_stream?: Parse;

  @QueryChoices(TYPES, 'Event types to include: input, output, error; repeated or comma-separated.')
  events?: string | readonly string[];

  @QueryChoices(PARTS, 'Large parts to include; repeated or comma-separated.')
  expand?: string | readonly string[];

  @QueryField(
    {
      type: String,
      minLength: 1,
      maxLength: MAX_EXTENSION,
      description:
        'Download the session as a file: `csv`, `json` (one object per line), `cast` (asciicast v2, for terminal players), `evidence` (to be verified offline), any other value for the plain content.',
      example: 'csv',
    },
    {
      name: 'isExtension',
      validate: (value) => typeof value === 'string' && value.length >= 1 && value.length <= MAX_EXTENSION,
      words: `be a text of 1 to ${MAX_EXTENSION} characters`,
    },
  )
  extension?: string;
}

/** Options for reading one session. */
export interface ReadingOptions {
  readonly eventTime: boolean;
  readonly newLine: boolean;
  readonly parse: Parse | undefined;
  /** Event types to include; undefined: the default of the requested format. */
  readonly events: readonly TrailEventType[] | undefined;
  readonly withEvents: boolean;
  readonly withScript: boolean;
  /** Extension of the requested file; undefined: no file is requested. */
  readonly extension: string | undefined;
}

/** Converts the validated parameters. */
export function readingOptions(query: SessionQuery): ReadingOptions {
  const { event_stream: parse, events, expand, extension } = query;
  const parts = expand === undefined ? undefined : itemsOf(expand);
  return {
    eventTime: query['event-time'] === '1',
    newLine: (query.new_line ?? query.newline) === '1',
    parse,
    events: events === undefined ? undefined : (itemsOf(events) as TrailEventType[]),
    withEvents: parse !== undefined || parts?.includes('event_stream') === true,
    withScript: parts === undefined || parts.includes('session_input'),
    extension,
  };
}
