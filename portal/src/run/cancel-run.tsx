import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requests } from '../api/client';
import { ChangeFault } from '../parts/change';
import { texts } from '../texts';

const t = texts.run;
/** A gateway that is silent for so long does not get the script any more either. */
const LONGEST_SEARCH_MS = 5_000;

interface Props {
  readonly correlation: string;
  /** Gives up the request of the script, of which the gateway has no session yet. */
  readonly onUnknown: () => void;
}

/**
 * Ends the session of a running script, found by its correlation id. The answer to the script then reports
 * the outcome. If there is no such session, or no answer about it, the script is sent no more.
 */
export function CancelRun({ correlation, onUnknown }: Props) {
  const cancel = useMutation({
    mutationFn: async () => {
      const id = await openSession(correlation).catch(() => undefined);
      if (id === undefined) onUnknown();
      else await requests.POST('/sessions/{session_id}/kill', { params: { path: { session_id: id } } });
    },
  });
  return (
    <>
      <Button color="red" variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t.cancel}
      </Button>
      <ChangeFault fault={cancel.error} />
    </>
  );
}

async function openSession(correlation: string): Promise<string | undefined> {
  const { data } = await requests.GET('/sessions', {
    params: { query: { correlation_id: correlation, limit: 1 } },
    signal: AbortSignal.timeout(LONGEST_SEARCH_MS),
  });
  return data?.data.find(({ status }) => status === 'open')?.id;
}
