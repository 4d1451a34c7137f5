/** A refusal that only HTTP knows: a status without a meaning for the other edges, and the headers that belong to it. */
export class EdgeFault extends Error {
  constructor(
    readonly status: 400 | 405 | 408 | 413 | 414 | 415 | 417 | 421 | 431,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'EdgeFault';
  }
}
