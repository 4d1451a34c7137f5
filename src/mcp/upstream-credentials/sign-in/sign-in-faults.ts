import * as oidc from 'openid-client';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { credentialFault } from '../oauth/oauth-faults';

/** Runs the work and converts an error of another server to a page. @throws PageFault */
export async function asPageFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = error instanceof CredentialFault ? error : credentialFault(error);
    const title = 'Your account cannot be connected now';
    throw new PageFault(title, fault.message, fault.reason === 'unreachable' ? 503 : 422);
  }
}

/** Converts an error to a page. The text of the authorization server is neither shown nor logged. */
export function signInFault(error: unknown): PageFault {
  if (error instanceof CredentialFault) return new PageFault('Nothing was connected', error.message, 422);
  const isDenied = error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied';
  return new PageFault(
    'Nothing was connected',
    isDenied
      ? 'You refused at the authorization server, or it does not allow it.'
      : 'The authorization server did not complete the sign-in, or its answer was not valid. Start again from the application, and tell an administrator if it happens again.',
    isDenied ? 403 : 422,
  );
}

export function unknownAddress(): PageFault {
  return new PageFault(
    'There is nothing here',
    'This address does not exist, it was used or is too old, or it was made for somebody else.',
    404,
  );
}

export function isOver(): PageFault {
  return new PageFault(
    'Please start again',
    'This sign-in is unknown, used or expired, or it was started in another browser. Open the address again.',
  );
}

export function isMixedUp(): PageFault {
  return new PageFault(
    'Nothing was connected',
    'The answer came from another authorization server than the one to which you were sent.',
    403,
  );
}

export function hasChanged(): PageFault {
  return new PageFault(
    'Please start again',
    'The connection or its server changed meanwhile, or this form is not the one that you were shown. Open the address again.',
    409,
  );
}
