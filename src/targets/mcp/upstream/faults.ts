import { ForbiddenAddress } from '../../../platform/outbound/checked-address';
import { UpstreamFault } from './contract';

/** Returns the fault for a request that received no answer. */
export function wayFault(error: unknown, isSent: boolean): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof ForbiddenAddress)
    return new UpstreamFault(
      'refused',
      `The gateway does not connect to this address: ${error.message}. To allow it, add its host to MCP_ALLOWED_HOSTS.`,
    );
  if (isSent) return lostFault('The connection to the MCP server broke off before the answer', error);
  return new UpstreamFault('unreachable', 'The MCP server could not be reached.', { cause: error });
}

/** Converts a fault of the detection or of `initialize` to the fault of a request that was not sent. */
export function notSent(error: unknown): unknown {
  if (!(error instanceof UpstreamFault) || !error.mayHaveRun) return error;
  const reason = error.reason === 'cancelled' ? 'cancelled' : 'unreachable';
  return new UpstreamFault(reason, error.what, { cause: error, isSent: false });
}

/**
 * Converts a fault of a later message about a request to a fault of the request, which was already sent. The
 * later message did not leave the gateway, or was refused.
 */
export function sentBefore(error: unknown): unknown {
  if (!(error instanceof UpstreamFault) || error.mayHaveRun) return error;
  const { reason, what, cause, challenge } = error;
  return new UpstreamFault(reason, what, { cause, challenge, isSent: true });
}

/** @param isSent whether the request was sent before, and waits for input */
export function closedFault(isSent: boolean): UpstreamFault {
  return new UpstreamFault('cancelled', 'The way to the MCP server is closed.', { isSent });
}

/** @param what the sentence for the message, without the full stop */
export function lostFault(what: string, cause?: unknown): UpstreamFault {
  return new UpstreamFault('lost', `${what}.`, { cause });
}

/** @param what the text after "The answer of the MCP server ", without a full stop */
export function malformedFault(what: string, cause?: unknown): UpstreamFault {
  return new UpstreamFault('malformed', `The answer of the MCP server ${what}.`, { cause });
}

export function tooLargeFault(bytes: number): UpstreamFault {
  return new UpstreamFault('too_large', `The answer of the MCP server is larger than ${bytes} bytes.`);
}

/** Facts of the answer that explain its status. */
export interface StatusDetails {
  /** Header `WWW-Authenticate` of the answer. */
  readonly challenge: string | undefined;
  /** Target of a redirect, to show to people; undefined if there is none, or it cannot be shown. */
  readonly place: string | undefined;
}

/** Returns the fault for a status that is not a success, if the body has no JSON-RPC answer. */
export function statusFault(status: number, { challenge, place }: StatusDetails): UpstreamFault {
  if (status === 401)
    return new UpstreamFault('needs_reauth', `The MCP server refuses the credential (status ${status}).`, {
      challenge,
    });
  if (status === 403)
    return new UpstreamFault('refused', `The MCP server refuses the credential (status ${status}).`, {
      challenge,
    });
  // Status 503 means that the request was not handled; after 500, 502 and 504 it may have been.
  if (status >= 500 && status !== 503) return lostFault(`The MCP server answered with status ${status}`);
  const redirect =
    status >= 300 && status < 400 && place !== undefined
      ? ` and leads to ${place}. The gateway follows no redirect: if that is the server's address, write it to REMOTE_URL of the connection`
      : '';
  return new UpstreamFault('refused', `The MCP server answered with status ${status}${redirect}.`);
}

/** Returns the fault of a subscription that the server ended before its caller knew that it had begun. */
export function endedEarly(): UpstreamFault {
  return lostFault('The MCP server ended the subscription before it began');
}
