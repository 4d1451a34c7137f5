/** Column transformer: PostgreSQL's bigint arrives as text; sizes and counts here stay far below 2^53. */
export const bigint = { from: Number, to: (value: number): number => value };
