import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Cell, cell, harmless, harmlessJson } from './harmless.js';

export type Format = 'table' | 'json';

/** Prints for the user: results on standard output, everything else on standard error. */
export class Output {
  constructor(readonly format: Format) {}

  /** Prints a list: as complete JSON, or as rows below headings. */
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

  /** Prints one object: as complete JSON, or one line for each field. */
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

  /** Prints output of the target: escaped on a terminal, unchanged to a pipe or file. */
  content(bytes: Uint8Array | string): void {
    if (!process.stdout.isTTY) process.stdout.write(bytes);
    else process.stdout.write(harmless(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)));
  }

  /**
   * Prints output of the target that consists of several results. On a terminal, an empty line separates the
   * results. A pipe or file receives the output unchanged. Older gateways send no `parts`.
   */
  parts(content: string, parts: readonly { readonly output: string }[] | undefined): void {
    const isForPerson = process.stdout.isTTY && parts !== undefined && parts.length > 1;
    this.content(isForPerson ? parts.map(({ output }) => output).join('\n') : content);
  }

  /** Prints a stream from the target, without loading it into memory as a whole. */
  async whole(content: Readable): Promise<void> {
    if (!process.stdout.isTTY) return pipeline(content, process.stdout, { end: false });
    // Use one decoder for all pieces, because a piece may end within a character.
    const decoder = new TextDecoder();
    for await (const piece of content) this.content(decoder.decode(piece as Uint8Array, { stream: true }));
    this.content(decoder.decode());
  }

  /** Prints progress or advice to standard error. */
  say(text: string): void {
    process.stderr.write(`${harmless(text)}\n`);
  }
}
