/** A refusal that exists only in HTTP: a status without an equivalent in other protocols, and its headers. */
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
