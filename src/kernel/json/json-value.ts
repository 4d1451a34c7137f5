/**
 * A JSON value as it was read. Unlike the result of `JSON.parse`, it keeps every number exactly, and an
 * object has no inherited names: `__proto__` and `constructor` are names like any other.
 */
export type Json = null | boolean | number | string | JsonNumber | Json[] | JsonObject;

/**
 * An object without a prototype. Names that are array indexes come first, in ascending order. All other names
 * keep the order of the document.
 */
export interface JsonObject {
  [name: string]: Json;
}

/** A number that would change by a conversion to a double, or minus zero. It is written as it was read. */
export class JsonNumber {
  /** Number of `JsonNumber`s that `JSON.stringify` has met, by which `writeJson` detects one in a value. */
  static stringified = 0;

  /** @param text the number, as JSON writes it */
  constructor(readonly text: string) {}

  /**
   * Called by `JSON.stringify`, which can write the number only as a text or rounded. Only `writeJson` writes
   * it exactly.
   */
  toJSON(): string {
    JsonNumber.stringified += 1;
    return this.text;
  }
}

/** Limits of a document. */
export interface JsonBounds {
  /** Maximum depth of nested arrays and objects. */
  readonly depth: number;
  /** Maximum number of values, including nested values and the arrays and objects themselves. */
  readonly values: number;
  /** Maximum length of the name of a member, decoded, in bytes of UTF-8. */
  readonly nameBytes: number;
  /**
   * Whether to refuse the name `__proto__`, and an object in which two names have the same key (`nameKey`).
   * Set for documents that other programs read after the gateway. JavaScript programs may take the value of
   * `__proto__` for members of the object itself.
   */
  readonly oneReading: boolean;
}

/** Limits that are enough for every honest message. The caller must limit the length in bytes. */
export const JSON_BOUNDS: JsonBounds = {
  depth: 128,
  values: 1_000_000,
  nameBytes: 16 * 1024,
  oneReading: false,
};

export type JsonFaultReason = 'syntax' | 'encoding' | 'duplicate' | 'prototype' | 'depth' | 'size' | 'nul';

/**
 * The error for a refused document. The message is plain English that follows "the message" or "the body". It
 * contains no text of the document.
 */
export class JsonFault extends Error {
  constructor(
    readonly reason: JsonFaultReason,
    message: string,
    /** Name of the refused member, as the document has it. It is untrusted text. */
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
