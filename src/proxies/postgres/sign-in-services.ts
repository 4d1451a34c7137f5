import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../gate/ports/authenticator';
import { IssuedCredentials } from '../../gate/ports/issued-credentials';

/**
 * Checks the credentials of clients: their own tokens and API keys, and passwords that were issued to them.
 */
@Injectable()
export class SignInServices {
  constructor(
    readonly authenticator: Authenticator,
    readonly issued: IssuedCredentials,
  ) {}
}
