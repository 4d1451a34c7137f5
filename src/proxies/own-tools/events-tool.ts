import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../kernel/json/json';
import { faultOfArguments, withoutNulls } from './arguments';
import { type AskedRoute, annotationsOf } from './route-tool';
import { readEvents } from './session-events';
import { toolResult } from './tool-result';

const LIMIT = 50;

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    session_id: { type: 'string', format: 'uuid', description: 'Id of the session.' },
    events: {
      type: 'array',
      items: { type: 'string', enum: ['i', 'o', 'e'] },
      description: 'Types of events: input, output, errors. Default: all.',
    },
    skip: {
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Number of these events to skip: "next" of the page before.',
    },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: LIMIT, description: 'Events on a page.' },
  },
  required: ['session_id'],
  additionalProperties: false,
};

const OUTPUT: JsonObject = {
  type: 'object',
  properties: {
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          number: { type: 'integer', description: 'Number of the event among those asked for, from 1.' },
          time: { type: 'string', format: 'date-time' },
          type: { type: 'string', enum: ['i', 'o', 'e'] },
          text: { type: 'string' },
          truncated: { type: 'boolean', description: 'Whether "text" is only the beginning.' },
        },
        required: ['number', 'time', 'type', 'text', 'truncated'],
      },
    },
    next: { type: ['integer', 'null'], description: '"skip" of the next page; null at the end.' },
  },
  required: ['events', 'next'],
};

/**
 * Reads one page of a recording. The API route has no pages, so the tool takes the page from the whole
 * recording.
 */
export class EventsTool {
  static readonly toolName = 'read_session_events';

  readonly listed: JsonObject = {
    name: EventsTool.toolName,
    title: 'Read what a session recorded',
    description:
      'Reads the recorded events of a session in order: what was sent (i), what came back (o) and errors (e). A page has up to 256 KiB, and of each event the first 16 KiB.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    annotations: annotationsOf({ effect: 'reads', isIdempotent: true }),
  };

  constructor(private readonly prefix: string) {}

  asks(given: JsonObject): AskedRoute {
    const args = withoutNulls(given);
    const fault = faultOfArguments(INPUT, args);
    if (fault !== undefined) return { kind: 'fault', message: fault };
    const { session_id: id, events = [] } = args as { session_id: string; events?: string[] };
    const types = events.length > 0 ? events.join(',') : 'i,o,e';
    const path = `${this.prefix}/sessions/${id}?extension=json&events=${types}`;
    return { kind: 'request', request: { method: 'GET', path } };
  }

  async resultOf(file: IncomingMessage, given: JsonObject): Promise<JsonObject> {
    const { skip = 0, limit = LIMIT } = withoutNulls(given);
    return toolResult(await readEvents(file, { skip: Number(skip), limit: Number(limit) }));
  }
}
