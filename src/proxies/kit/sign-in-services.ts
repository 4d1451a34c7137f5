import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../gate/ports/authenticator';
import { IssuedCredentials } from '../../gate/ports/issued-credentials';
import { PublicKeys } from '../../gate/ports/public-keys';

/**
 * Checks the credentials of clients: their tokens and API keys, passwords that the gateway issued, and
 * public keys that people registered.
 */
@Injectable()
export class SignInServices {
  constructor(
    readonly authenticator: Authenticator,
    readonly issued: IssuedCredentials,
    readonly publicKeys: PublicKeys,
  ) {}
}
