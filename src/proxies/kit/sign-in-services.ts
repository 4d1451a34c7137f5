import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../gate/ports/authenticator';
import { IssuedCredentials } from '../../gate/ports/issued-credentials';

/** Checks the credentials of clients: their tokens and API keys, and passwords that the gateway issued. */
@Injectable()
export class SignInServices {
  constructor(
    readonly authenticator: Authenticator,
    readonly issued: IssuedCredentials,
  ) {}
}
