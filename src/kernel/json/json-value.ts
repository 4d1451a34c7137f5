/**
 * A JSON value as it was read. Unlike what `JSON.parse` returns, it keeps every number, and an object has no
 * inherited names: `__proto__` and `constructor` are names like any other.
 */
export type Json = null | boolean | number | string | JsonNumber | Json[] | JsonObject;

/**
 * Has no prototype. Names that are array indexes come first, in ascending
 * order; all others keep the order of the document.
 */
export interface JsonObject {
  [name: string]: Json;
}

/** A number whose value a double does not hold exactly, or minus zero. It is written back as it came. */
export class JsonNumber {
  /** Number of times that `JSON.stringify` met such a number in this process: `writeJson` must know. */
  static stringified = 0;

  /** @param text as JSON writes a number */
  constructor(readonly text: string) {}

  /**
   * For `JSON.stringify`, which can only write it as a text or rounded: only
   * `writeJson` writes such a number as it is.
   */
  toJSON(): string {
    JsonNumber.stringified += 1;
    return this.text;
  }
}

/** Limits of a document. */
export interface JsonBounds {
  /** Nested arrays and objects. */
  readonly depth: number;
  /** Values, including nested ones and the arrays and objects themselves. */
  readonly values: number;
  /** Length of a name of an object, decoded, in UTF-8. */
  readonly nameBytes: number;
  /**
   * For documents that other programs read after us: refuses an object in which two names
   * have the same key (`nameKey`), and the name `__proto__`, whose value programs in
   * JavaScript may take for members of the object itself.
   */
  readonly oneReading: boolean;
}

/** Enough for every message that is honest; the length in bytes is the caller's to limit. */
export const JSON_BOUNDS: JsonBounds = {
  depth: 128,
  values: 1_000_000,
  nameBytes: 16 * 1024,
  oneReading: false,
};

export type JsonFaultReason = 'syntax' | 'encoding' | 'duplicate' | 'prototype' | 'depth' | 'size' | 'nul';

/**
 * A document is refused. The message is plain English and goes after "the message" or "the body"; it quotes
 * nothing of the document.
 */
export class JsonFault extends Error {
  constructor(
    readonly reason: JsonFaultReason,
    message: string,
    /** The name of the member that is refused, as it was written. It is text of others. */
    readonly member?: string,
  ) {
    super(message);
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** An object without a prototype and without names. */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}
