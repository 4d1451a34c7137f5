/** Range of the chunks of a recording to read, and the number of chunks in one query. */
export interface ReadingRange {
  /** Only chunks after this number. Default: all. */
  readonly after?: number;
  /** Number of chunks in one query. */
  readonly atOnce?: number;
  /** No chunks after this number. Default: all. */
  readonly upTo?: number;
  /**
   * True for verifiers: yields chunks as they are found, even if some are missing or differ from what was
   * stored. Otherwise, reading ends there with an error.
   */
  readonly asFound?: boolean;
}
