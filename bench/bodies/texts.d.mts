export interface TextShape {
  readonly name: string;
  /** @param length of the text, in about so many UTF-16 code units. */
  readonly make: (length: number) => string;
}
export function randomNumbers(seed: number): () => number;
export function textShapes(seed: number, count: number): Generator<TextShape>;
export function jsonShapes(): Generator<TextShape>;
