/** A value as a Bind brings it. */
export interface BoundValue {
  /** null: NULL. */
  readonly bytes: Buffer | null;
  readonly isBinary: boolean;
}

/** The values of a Bind, in their order: a list, or what stands for one where they are many. */
export interface BoundValues extends Iterable<BoundValue> {
  readonly length: number;
  at(index: number): BoundValue | undefined;
}

const LENGTH_BYTES = 4;

/** Values that are made into objects one by one, as they are asked for: tens of thousands of them at once would hold up everybody else. */
export class BoundFields implements BoundValues {
  /** @param places of the lengths of the values in the bytes. @param formats none, one for all, or one for each. */
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
