import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, cell, harmless, harmlessJson } from './harmless.js';

export type Format = 'table' | 'json';

/** Output for the person: results on standard output, everything else on standard error. */
export class Output {
  constructor(readonly format: Format) {}

  /** A result: as JSON whole, else as rows below heads. */
  table(value: unknown, heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
    if (this.format === 'json') return this.json(value);
    const cells = [heads, ...rows].map((row) => row.map(cell));
    const widths = heads.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
    for (const row of cells)
      this.line(
        row
          .map((text, at) => text.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      );
  }

  /** A result of one thing: as JSON whole, else a line for each field. */
  fields(value: unknown, fields: Readonly<Record<string, Cell>>): void {
    if (this.format === 'json') return this.json(value);
    const width = Math.max(...Object.keys(fields).map(({ length }) => length));
    for (const [name, content] of Object.entries(fields))
      this.line(`${name.padEnd(width)}  ${cell(content)}`.trimEnd());
  }

  json(value: unknown): void {
    this.line(harmlessJson(value));
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** Content of the target: exact for programs, harmless for terminals. */
  content(bytes: Uint8Array | string): void {
    if (!process.stdout.isTTY) process.stdout.write(bytes);
    else process.stdout.write(harmless(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)));
  }

  /**
   * Content of the target that has parts. A terminal shows an empty line between them; programs get the
   * content as it is. Older gateways give no parts.
   */
  parts(content: string, parts: readonly { readonly output: string }[] | undefined): void {
    const isForPerson = process.stdout.isTTY && parts !== undefined && parts.length > 1;
    this.content(isForPerson ? parts.map(({ output }) => output).join('\n') : content);
  }

  /** The same for content of any length. */
  async whole(content: Readable): Promise<void> {
    if (!process.stdout.isTTY) return pipeline(content, process.stdout, { end: false });
    // Pieces may end within a character.
    const decoder = new TextDecoder();
    for await (const piece of content) this.content(decoder.decode(piece as Uint8Array, { stream: true }));
    this.content(decoder.decode());
  }

  /** Progress and advice. */
  say(text: string): void {
    process.stderr.write(`${harmless(text)}\n`);
  }
}
