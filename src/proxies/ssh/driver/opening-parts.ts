import type { Connection } from 'ssh2';

/**
 * A private part of `ssh2`, used only in this file: it sends `SSH_MSG_CHANNEL_OPEN_FAILURE`.
 * `opening-parts.spec.ts` fails when a version changes it.
 */
interface FailureParts {
  _protocol: { channelOpenFail: (recipient: number, reason: number, description: string) => void };
}

/** Why a stream is not opened: RFC 4254, section 5.1. */
export interface OpeningRefusal {
  readonly reason: keyof typeof REASONS;
  /** A sentence, which OpenSSH shows to its user. */
  readonly text: string;
}

const REASONS = { prohibited: 1, failed: 2, shortage: 4 } as const;

/**
 * Refuses to open a stream, with the reason. The driver's own function for this sends none, and calls the
 * private function that is replaced here meanwhile.
 */
export function refuseOpening(
  connection: Connection,
  reject: () => void,
  { reason, text }: OpeningRefusal,
): void {
  const { _protocol: protocol } = connection as unknown as FailureParts;
  const { channelOpenFail } = protocol;
  protocol.channelOpenFail = (recipient) => channelOpenFail.call(protocol, recipient, REASONS[reason], text);
  try {
    reject();
  } finally {
    protocol.channelOpenFail = channelOpenFail;
  }
}
