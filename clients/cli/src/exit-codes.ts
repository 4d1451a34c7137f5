import { GatewayFault } from '@access-gateway/client';

/** Exit codes of the program; README.md has the table. Scripts and psql end with their own codes. */
export const EXIT = {
  ok: 0,
  /** A script failed, a recording was changed, or rules differ. */
  failed: 1,
  /** A required approval was rejected, withdrawn or expired, or a recording could not be verified. */
  refused: 3,
  usage: 64,
  notFound: 66,
  unavailable: 69,
  fault: 70,
  /**
   * Try later: too many requests, an approval still pending with `--no-wait`, or a rule that was changed
   * by another person after it was read.
   */
  later: 75,
  notAllowed: 77,
  interrupted: 130,
  /** The gateway blocked or ended the script. */
  blocked: 254,
} as const;

/** An error that ends the program with a sentence on standard error. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

const BY_STATUS: Readonly<Record<number, number>> = {
  0: EXIT.unavailable,
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  422: EXIT.usage,
  429: EXIT.later,
  503: EXIT.unavailable,
};

/** Returns the message and the exit code for an error. */
export function endOf(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (error instanceof CommandFault) return { message: error.message, exitCode: error.exitCode };
  if (!(error instanceof GatewayFault))
    return { message: error instanceof Error ? error.message : String(error), exitCode: EXIT.fault };
  // The cause is an error of this program, for example an expired sign-in. Report that error.
  if (error.cause instanceof CommandFault) return endOf(error.cause);
  const id = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  return {
    message: `${error.message}${id}${hintOf(error)}`,
    exitCode: BY_STATUS[error.status] ?? EXIT.fault,
  };
}

function hintOf({ status, message, retryAfterSeconds }: GatewayFault): string {
  if (status === 401) return '; sign in with: gateway login';
  if (status === 0 && /certificate|self.signed|issuer|altname/i.test(message))
    return '; name the CA of the gateway in NODE_EXTRA_CA_CERTS, if you trust it';
  return retryAfterSeconds === undefined ? '' : `; try again in ${Math.ceil(retryAfterSeconds)} s`;
}
