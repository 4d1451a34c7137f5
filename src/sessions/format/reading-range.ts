/** Which chunks of a recording to read, and how. */
export interface ReadingRange {
  /** Those after this number. Default: all. */
  readonly after?: number;
  /** How many are in memory. */
  readonly atOnce?: number;
  /** None beyond this number. */
  readonly upTo?: number;
  /**
   * For those who verify: object storage may have other chunks than were stored
   * there. Otherwise reading ends with a fault.
   */
  readonly asFound?: boolean;
}
