/** Range of the chunks of a recording to read, and the read-ahead. */
export interface ReadingRange {
  /** Only chunks after this number. Default: all. */
  readonly after?: number;
  /** Number of chunks in memory. */
  readonly atOnce?: number;
  /** None beyond this number. */
  readonly upTo?: number;
  /**
   * For those who verify: object storage may have other chunks than were stored
   * there. Otherwise reading ends with a fault.
   */
  readonly asFound?: boolean;
}
