import { TextDecoder } from 'node:util';
import { stringify } from 'csv-stringify/sync';
import { parseRow } from '../kernel/tabular-text';
import type { SessionEvent } from './recording/event-codec';
import type { SessionQuery } from './session-query';
import type { Session } from './session.entity';

type Events = AsyncIterable<SessionEvent>;

/** A recording as a file: its pieces, its type and its name. */
export interface SessionFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly content: AsyncGenerator<string | Buffer>;
}

export function sessionFile(session: Session, events: Events, query: SessionQuery): SessionFile {
  const extension = query.extension ?? 'txt';
  const stamp = (time: number): string => new Date(session.startDate.getTime() + time).toISOString();
  const form = formOf(extension, events, query, stamp);
  return {
    ...form,
    fileName: `${session.connectionName}-${session.id}-${fileTime(session.startDate)}.${safe(extension)}`,
  };
}

type Stamp = (time: number) => string;

function formOf(
  extension: string,
  events: Events,
  query: SessionQuery,
  stamp: Stamp,
): Omit<SessionFile, 'fileName'> {
  switch (extension) {
    case 'csv':
      return { contentType: 'text/csv; charset=utf-8', content: csv(events, query, stamp) };
    case 'json':
      return { contentType: 'application/x-ndjson', content: jsonLines(events, stamp) };
    default:
      return { contentType: 'text/plain; charset=utf-8', content: plain(events, query, stamp) };
  }
}

async function* plain(events: Events, query: SessionQuery, stamp: Stamp): AsyncGenerator<string | Buffer> {
  for await (const { time, content } of events) {
    if (query.eventTime) yield `${stamp(time)} `;
    yield content;
    if (query.newLine) yield '\n';
  }
}

async function* jsonLines(events: Events, stamp: Stamp): AsyncGenerator<string> {
  for await (const { time, type, content } of events) {
    yield `${JSON.stringify({ time: stamp(time), type, stream: content.toString() })}\n`;
  }
}

/** Terminal escapes, NUL, and marks that turn the direction of text: they make a row look like another one. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * RFC 4180, a row for each line of recorded output. Cells that a spreadsheet would run are made harmless,
 * unseen characters become U+FFFD; the other forms have the exact bytes.
 */
async function* csv(events: Events, query: SessionQuery, stamp: Stamp): AsyncGenerator<string> {
  for await (const { time, line } of lines(events)) {
    const cells = parseRow(line).map((cell) => cell.replaceAll(UNSEEN, '\uFFFD'));
    yield stringify([query.eventTime ? [stamp(time), ...cells] : cells], {
      quoted: true,
      quoted_empty: true,
      escape_formulas: true,
      record_delimiter: 'windows',
    });
  }
}

/** Lines may be cut between events; each type of event carries its own unfinished line. */
async function* lines(events: Events): AsyncGenerator<{ time: number; line: string }> {
  const open = new Map<string, { time: number; text: string; decoder: TextDecoder }>();
  for await (const { time, type, content } of events) {
    const unfinished = open.get(type) ?? {
      time,
      text: '',
      decoder: new TextDecoder('utf-8', { ignoreBOM: true }),
    };
    open.set(type, unfinished);
    const [first = '', ...rest] = unfinished.decoder.decode(content, { stream: true }).split('\n');
    if (unfinished.text === '') unfinished.time = time;
    unfinished.text += first;
    for (const next of rest) {
      yield { time: unfinished.time, line: unfinished.text };
      unfinished.text = next;
      unfinished.time = time;
    }
  }
  for (const { time, text } of open.values()) if (text !== '') yield { time, line: text };
}

/** It becomes part of a file name and of a header. */
function safe(extension: string): string {
  return extension.replaceAll(/[^A-Za-z0-9._-]/g, '_');
}

/** `yyyymmdd-hhmmss`, UTC. */
function fileTime(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}
