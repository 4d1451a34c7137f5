/**
 * The limits of every JSON body. They are checked before the body is parsed, because the cost of parsing,
 * transforming and validating grows with the number of values, not with the number of bytes.
 */
export const BODY_BOUNDS = {
  /**
   * Number of values, including nested ones. The largest body that a resource accepts has about 40 000
   * values: two rule sets of 64 KiB.
   */
  values: 50_000,
  /** Fields of one object; a field that occurs twice counts twice. */
  fields: 1_000,
  /** Elements of one array. */
  elements: 20_000,
  /** Nesting depth of objects and arrays. */
  depth: 64,
  /** Bytes outside long texts. A body may be larger only because of texts, such as scripts. */
  structureBytes: 1024 * 1024,
} as const;

/** The limit of all routes except those that accept scripts, whose limit is `BODY_LIMIT_MB`. */
export const PLAIN_BODY_MB = 1;

export const MEBIBYTE = 1024 * 1024;
