/** Types of SCIM errors (RFC 7644, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error in the form of SCIM (RFC 7644, section 3.12). `message` is sent as `detail`. */
export class ScimFault extends Error {
  constructor(
    readonly status: 400 | 403 | 404 | 405 | 409 | 412 | 501,
    message: string,
    readonly scimType?: ScimType,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ScimFault';
  }
}

export function invalidValue(message: string): ScimFault {
  return new ScimFault(400, message, 'invalidValue');
}

export function invalidFilter(message: string): ScimFault {
  return new ScimFault(400, message, 'invalidFilter');
}

export function invalidPath(message: string): ScimFault {
  return new ScimFault(400, message, 'invalidPath');
}
