import type { TrailEventType } from '../../../gate/ports/session-recorder';
import type { ReadingOptions } from './session-query';
import type { SessionRow } from '../../recording/session.entity';
import { asciicast } from './asciicast';
import { CsvRendering } from './csv';
import { type Batches, type Rendering, rendered } from './rendering';
import { outputDecoder } from '../../format/output-decoder';

/** A recording as a file. */
export interface SessionFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly content: AsyncGenerator<Buffer>;
}

/** Returns the recording in the format of the extension; see src/sessions/reading/README.md, "Files". */
export function sessionFile(session: SessionRow, batches: Batches, query: ReadingOptions): SessionFile {
  const extension = query.extension ?? 'txt';
  const stamp = stampFrom(session.startDate.getTime());
  const { contentType, rendering } = formOf(extension, session, query, stamp);
  return {
    contentType,
    fileName: fileNameOf(session, extension),
    content: rendered(batches, rendering),
  };
}

/** Returns `<connection>-<id>-<yyyymmdd-hhmmss>.<ext>`, in UTC. `<ext>` is made safe for a header. */
export function fileNameOf(session: SessionRow, extension: string): string {
  const time = session.startDate.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const safe = extension.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  return `${session.connectionName}-${session.id}-${time}.${safe}`;
}

/** Formats a time of the session: RFC 3339, to the millisecond. */
type Stamp = (time: number) => string;

/** Returns a formatter that reuses the text of the last second, because many events share a second. */
function stampFrom(start: number): Stamp {
  let [known, text] = [Number.NaN, ''];
  return (time) => {
    const at = Math.trunc(start + time);
    const second = Math.floor(at / 1000);
    if (second !== known) text = new Date(second * 1000).toISOString().slice(0, -'000Z'.length);
    known = second;
    return `${text}${String(at - second * 1000).padStart(3, '0')}Z`;
  };
}

interface Form {
  readonly contentType: string;
  readonly rendering: Rendering;
}

function formOf(extension: string, session: SessionRow, query: ReadingOptions, stamp: Stamp): Form {
  switch (extension) {
    case 'csv': {
      const rendering = new CsvRendering(query.eventTime ? stamp : undefined);
      return { contentType: 'text/csv; charset=utf-8', rendering };
    }
    case 'json':
      return { contentType: 'application/x-ndjson', rendering: jsonLines(stamp) };
    case 'cast':
      return { contentType: 'application/x-asciicast', rendering: asciicast(session) };
    default:
      return { contentType: 'text/plain; charset=utf-8', rendering: plain(query, stamp) };
  }
}

function plain(query: ReadingOptions, stamp: Stamp): Rendering {
  return {
    begin({ time }, out) {
      if (query.eventTime) out.write(`${stamp(time)} `);
    },
    content({ content }, out) {
      out.write(content);
    },
    finish(_, out) {
      if (query.newLine) out.write('\n');
    },
  };
}

/**
 * JSON lines: an object for each event. Output is decoded as one stream of each type, because a character may
 * be cut between two events. Such a character is in the object of the event in which it ends. If a stream
 * ends within a character, one more object has U+FFFD. Inputs are messages, and are decoded one by one.
 */
function jsonLines(stamp: Stamp): Rendering {
  const decoders = { i: outputDecoder(), o: outputDecoder(), e: outputDecoder() };
  const lastTimes = { o: 0, e: 0 };
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const headOf = (time: number, type: TrailEventType): string =>
    `{"time":"${stamp(time)}","type":"${type}","stream":"`;
  return {
    begin({ time, type }, out) {
      if (type !== 'i') lastTimes[type] = time;
      out.write(headOf(time, type));
    },
    content({ type, content }, out) {
      out.write(escaped(decoders[type].decode(content, { stream: true })));
    },
    finish({ type }, out) {
      out.write(type === 'i' ? `${escaped(decoders.i.decode())}"}\n` : '"}\n');
    },
    end(out) {
      for (const type of ['o', 'e'] as const) {
        const rest = decoders[type].decode();
        if (rest !== '') out.write(`${headOf(lastTimes[type], type)}${escaped(rest)}"}\n`);
      }
    },
  };
}
