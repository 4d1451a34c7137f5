import { OAuthFault } from './oauth-fault';

/** Maximum length of a value. Real values are shorter, but a state or a redirect URI may be long. */
const MAX_CHARACTERS = 4096;
const MAX_PARAMETERS = 100;

/**
 * Parameters of an OAuth request, from its query or its form. Unknown parameters are ignored (RFC 6749,
 * section 3.1).
 */
export class Parameters {
  private readonly values = new Map<string, string>();

  /**
   * @throws OAuthFault `invalid_request` when there are too many parameters, or one occurs twice, is too
   * long, or contains NUL.
   */
  constructor(encoded: string) {
    const pairs = [...new URLSearchParams(encoded)];
    if (pairs.length > MAX_PARAMETERS)
      throw new OAuthFault('invalid_request', 'there are too many parameters');
    for (const [name, value] of pairs) {
      if (this.values.has(name)) throw new OAuthFault('invalid_request', 'a parameter occurs twice');
      if (value.length > MAX_CHARACTERS || value.includes('\0'))
        throw new OAuthFault('invalid_request', 'a parameter is too long, or contains NUL');
      this.values.set(name, value);
    }
  }

  /** Returns undefined for an empty value too (RFC 6749, section 3.1). */
  find(name: string): string | undefined {
    return this.values.get(name) || undefined;
  }

  /** @throws OAuthFault `invalid_request` when the parameter is missing. */
  require(name: string): string {
    const value = this.find(name);
    if (value === undefined) throw new OAuthFault('invalid_request', `the parameter ${name} is missing`);
    return value;
  }
}
