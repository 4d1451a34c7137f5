/** A parameter value of a Bind message. */
export interface BoundValue {
  /** null for NULL. */
  readonly bytes: Buffer | null;
  readonly isBinary: boolean;
}

/** The values of a Bind message in order: an array, or an object that creates many values on demand. */
export interface BoundValues extends Iterable<BoundValue> {
  readonly length: number;
  at(index: number): BoundValue | undefined;
}

const LENGTH_BYTES = 4;

/** Creates value objects on demand, because creating tens of thousands at once would block the event loop. */
export class BoundFields implements BoundValues {
  /**
   * @param places offsets in `bytes` of the length fields that precede the values
   * @param formats format codes: none, one for all values, or one for each value.
   */
  constructor(
    private readonly bytes: Buffer,
    private readonly places: Int32Array,
    private readonly formats: readonly number[],
  ) {}

  get length(): number {
    return this.places.length;
  }

  at(index: number): BoundValue | undefined {
    const place = this.places[index];
    if (place === undefined) return undefined;
    const length = this.bytes.readInt32BE(place);
    const start = place + LENGTH_BYTES;
    const format = this.formats.length === 1 ? this.formats[0] : this.formats[index];
    const bytes = length === -1 ? null : this.bytes.subarray(start, start + length);
    return { bytes, isBinary: format === 1 };
  }

  *[Symbol.iterator](): Generator<BoundValue> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index) as BoundValue;
  }
}
