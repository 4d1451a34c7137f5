import type { TrailEventType } from '../../../gate/ports/session-recorder';
import type { SessionRow } from '../../recording/session.entity';
import type { Output, Rendering } from './rendering';
import type { EventPiece } from '../../format/event-codec';
import { visibleCell } from './csv-text';
import { TerminalReplay } from './terminal-replay';
import { outputDecoder } from '../../format/output-decoder';

/** Terminal size of recordings without a terminal. Most results fit without line breaks. */
const SCREEN = { width: 120, height: 40 };
/** Sizes that a file has. A person who makes a terminal smaller must not hide what happens in it. */
const WIDTHS = { least: 40, most: 500 } as const;
const HEIGHTS = { least: 10, most: 200 } as const;
/** Input that records a new size of a terminal: `RecordedRequests`. */
const RESIZE = /^resize (\d{1,6})x(\d{1,6})\n$/;
const LONGEST_RESIZE = 22;

/**
 * Renders asciicast v2 for terminal players: a header, then a line `[seconds, "o" | "i" | "r", text]` for
 * each event. Error output is also "o". Invalid UTF-8 and control characters that a terminal would execute
 * become U+FFFD. In the output of a terminal, what changes the screen stays (`TerminalReplay`), and new sizes
 * are events "r". Source: https://docs.asciinema.org/manual/asciicast/v2/
 */
export function asciicast(session: SessionRow): Rendering {
  const screen = screenOf(session);
  const texts: Record<TrailEventType, TextOfEvents> = {
    i: new TerminalText(),
    o: screen === undefined ? new TerminalText() : new ReplayedText(),
    e: new TerminalText(),
  };
  const header = `${JSON.stringify(headerOf(session, screen))}\n`;
  let isBegun = false;
  let isResize = false;
  let last = 0;
  const open = (out: Output): void => {
    if (!isBegun) out.write(header);
    isBegun = true;
  };
  return {
    begin(event, out) {
      open(out);
      last = seconds(event.time);
      const size = screen === undefined ? undefined : newSize(event);
      isResize = size !== undefined;
      if (size === undefined) out.write(`[${last}, "${codeOf(event.type)}", "`);
      else out.write(`[${last}, "r", "${size.width}x${size.height}`);
    },
    content({ type, content }, out) {
      if (!isResize) out.write(escaped(texts[type].write(content)));
    },
    finish(_, out) {
      out.write('"]\n');
    },
    end(out) {
      open(out);
      for (const type of ['i', 'o', 'e'] as const) {
        const rest = texts[type].end();
        if (rest !== '') out.write(`[${last}, "${codeOf(type)}", "${escaped(rest)}"]\n`);
      }
    },
  };
}

function headerOf(
  { id, startDate, endDate, connectionName }: SessionRow,
  screen: typeof SCREEN = SCREEN,
): object {
  return {
    version: 2,
    ...screen,
    timestamp: Math.floor(startDate.getTime() / 1000),
    ...(endDate === null ? {} : { duration: seconds(endDate.getTime() - startDate.getTime()) }),
    title: `${connectionName} ${id}`,
  };
}

/**
 * The first size of a terminal of an SSH client; undefined for other recordings. People may change the
 * metadata of their sessions to any JSON, so it makes no result of a database a terminal.
 */
function screenOf({ verb, connectionSubtype, metadata }: SessionRow): typeof SCREEN | undefined {
  const terminal: unknown = metadata?.['terminal'];
  if (verb !== 'connect' || connectionSubtype !== 'ssh') return undefined;
  if (typeof terminal !== 'object' || terminal === null) return undefined;
  const { columns, rows } = terminal as { columns?: unknown; rows?: unknown };
  return typeof columns === 'number' && typeof rows === 'number' ? sizeOf(columns, rows) : undefined;
}

/** Whether an event records a new size of the terminal that the session has. */
export function isNewSize(session: SessionRow, event: EventPiece): boolean {
  return screenOf(session) !== undefined && newSize(event) !== undefined;
}

function newSize({ type, content, ends }: EventPiece): typeof SCREEN | undefined {
  if (type !== 'i' || !ends || content.length > LONGEST_RESIZE) return undefined;
  const [, columns, rows] = RESIZE.exec(content.toString('latin1')) ?? [];
  return columns === undefined ? undefined : sizeOf(Number(columns), Number(rows));
}

function sizeOf(columns: number, rows: number): typeof SCREEN {
  return {
    width: Math.min(Math.max(columns || SCREEN.width, WIDTHS.least), WIDTHS.most),
    height: Math.min(Math.max(rows || SCREEN.height, HEIGHTS.least), HEIGHTS.most),
  };
}

function codeOf(type: TrailEventType): 'i' | 'o' {
  return type === 'i' ? 'i' : 'o';
}

/** Converts milliseconds to seconds, rounded to the microsecond. */
function seconds(ms: number): number {
  return Math.round(ms * 1000) / 1_000_000;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Decodes the bytes of events, which may be cut anywhere, to text for a player. */
interface TextOfEvents {
  write(bytes: Buffer): string;
  end(): string;
}

/** The output of a terminal, as `TerminalReplay` has it. */
class ReplayedText implements TextOfEvents {
  private readonly decoder = outputDecoder();
  private readonly replay = new TerminalReplay();

  write(bytes: Buffer): string {
    return this.replay.write(this.decoder.decode(bytes, { stream: true }));
  }

  end(): string {
    return this.replay.write(this.decoder.decode());
  }
}

/**
 * Decodes bytes to text that a terminal shows but does not execute. An escape sequence in a row of data could
 * clear the screen, write to the clipboard, or make the row look like another row. A bare CR could also make
 * a row look like another one. Databases and MCP servers need neither. Line ends become CR LF, because a
 * terminal needs both characters to begin a new line.
 */
class TerminalText implements TextOfEvents {
  private readonly decoder = outputDecoder();
  /** A CR whose LF may come with the next bytes. */
  private held = '';

  write(bytes: Buffer): string {
    const text = this.held + this.decoder.decode(bytes, { stream: true });
    this.held = text.endsWith('\r') ? '\r' : '';
    return shown(text.slice(0, text.length - this.held.length));
  }

  end(): string {
    return shown(this.held + this.decoder.decode());
  }
}

function shown(text: string): string {
  return visibleCell(text).replaceAll(/\r?\n|\r/g, (end) => (end === '\r' ? '\uFFFD' : '\r\n'));
}
