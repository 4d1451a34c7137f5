import type { TrailEventType } from '../../../gate/ports/session-recorder';
import type { SessionRow } from '../../recording/session.entity';
import type { Output, Rendering } from './rendering';
import { visibleCell } from './csv-text';
import { outputDecoder } from '../../format/output-decoder';

/** Terminal size of the file, because recordings have none. Most results fit without line breaks. */
const SCREEN = { width: 120, height: 40 };

/**
 * Renders asciicast v2 for terminal players: a header, then a line `[seconds, "o" | "i", text]` for each
 * event. Error output is also "o". Invalid UTF-8 and control characters that a terminal would execute become
 * U+FFFD. Source: https://docs.asciinema.org/manual/asciicast/v2/
 */
export function asciicast(session: SessionRow): Rendering {
  const texts: Record<TrailEventType, TerminalText> = {
    i: new TerminalText(),
    o: new TerminalText(),
    e: new TerminalText(),
  };
  const header = `${JSON.stringify(headerOf(session))}\n`;
  let isBegun = false;
  let last = 0;
  const open = (out: Output): void => {
    if (!isBegun) out.write(header);
    isBegun = true;
  };
  return {
    begin({ time, type }, out) {
      open(out);
      last = seconds(time);
      out.write(`[${last}, "${codeOf(type)}", "`);
    },
    content({ type, content }, out) {
      out.write(escaped(texts[type].write(content)));
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

function headerOf({ id, startDate, endDate, connectionName }: SessionRow): object {
  return {
    version: 2,
    ...SCREEN,
    timestamp: Math.floor(startDate.getTime() / 1000),
    ...(endDate === null ? {} : { duration: seconds(endDate.getTime() - startDate.getTime()) }),
    title: `${connectionName} ${id}`,
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

/**
 * Decodes bytes to text that a terminal shows but does not execute. An escape sequence in a row of data could
 * clear the screen, write to the clipboard, or make the row look like another row. A bare CR could also make
 * a row look like another one. Databases and MCP servers need neither. Line ends become CR LF, because a
 * terminal needs both characters to begin a new line.
 */
class TerminalText {
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
