import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requests } from '../api/client';
import { ChangeFault } from '../parts/change';
import { texts } from '../texts';

const t = texts.run;
/** Time limit for finding the session. After it, the request that sent the script is aborted. */
const LONGEST_SEARCH_MS = 5_000;

interface Props {
  readonly correlation: string;
  /** Called when no open session was found: aborts the request that sent the script. */
  readonly onUnknown: () => void;
}

/**
 * Button that cancels a running script: finds the script's session by its correlation id and ends it. The
 * response to the script then reports the outcome. If no open session is found, the request is aborted.
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
