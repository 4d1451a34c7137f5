/** An error of the HTTP request, with its HTTP status and headers. */
export class HttpFault extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 406 | 413 | 415,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
