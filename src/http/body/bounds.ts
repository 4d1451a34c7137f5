/**
 * The bounds of every JSON body. They hold before the body is parsed, so that no body costs more than it is worth: parsing,
 * transforming and validating grow with the number of values, not with the number of bytes.
 */
export const BODY_BOUNDS = {
  /** Values, nested ones included. The largest body that a resource takes has about 40 000: two rule sets of 64 KiB. */
  values: 50_000,
  /** Fields of one object, counted as they are written: a field that comes twice counts twice. */
  fields: 1_000,
  /** Elements of one array. */
  elements: 20_000,
  /** Objects and arrays within each other. */
  depth: 64,
  /** Bytes that are not within a long text. Only texts, such as scripts, may be larger. */
  structureBytes: 1024 * 1024,
} as const;

/** The limit of every route but those that take scripts, which take `BODY_LIMIT_MB`. */
export const PLAIN_BODY_MB = 1;

export const MEBIBYTE = 1024 * 1024;
