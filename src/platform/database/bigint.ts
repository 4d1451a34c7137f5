/** Column transformer: the driver returns bigint as text; sizes and counts stay far below 2^53. */
export const bigint = { from: Number, to: (value: number): number => value };
