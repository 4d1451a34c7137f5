import { ApiFault } from '../api/api-fault';
import { texts } from '../texts';
import { Said } from './said';
import { clockOf } from './time';

/**
 * Shows a fault as text, with the gateway's message if there is one. Renders it with `Said`, because the
 * message may contain names that users chose, or texts from a database.
 */
export function FaultText({ fault }: { readonly fault: unknown }) {
  return <Said text={wordsOf(fault)} />;
}

export function wordsOf(fault: unknown): string {
  if (typeof fault === 'string') return fault;
  if (!(fault instanceof ApiFault)) return texts.states.failed;
  if (fault.change !== undefined) return texts.states[fault.change];
  if (fault.status === 0) return texts.states.unreached;
  // Show the portal's own text for 401, because the gateway's message is written for programs.
  if (fault.status === 401) return texts.signIn.missed;
  return fault.retryAt === undefined
    ? fault.message
    : texts.states.later(fault.message, clockOf(fault.retryAt));
}
