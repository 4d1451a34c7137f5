import { ApiFault } from '../api/api-fault';
import { texts } from '../texts';

/** What went wrong, in the words of the gateway where it has any. */
export function FaultText({ fault }: { readonly fault: unknown }) {
  return <>{wordsOf(fault)}</>;
}

export function wordsOf(fault: unknown): string {
  if (typeof fault === 'string') return fault;
  if (!(fault instanceof ApiFault)) return texts.states.failed;
  return fault.status === 0 ? texts.states.offline : fault.message;
}
