/** A refusal that a person reads on a page. */
export class PageFault extends Error {
  constructor(
    readonly title: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
    this.name = 'PageFault';
  }
}
