import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requests } from '../api/client';
import { ChangeFault } from '../parts/change';
import { texts } from '../texts';

const t = texts.run;

/** Ends the session of a script that runs, found by its correlation id. The answer to the script then says what became of it. */
export function CancelRun({ correlation }: { readonly correlation: string }) {
  const cancel = useMutation({ mutationFn: () => endSession(correlation) });
  return (
    <>
      <Button color="red" variant="outline" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t.cancel}
      </Button>
      <ChangeFault fault={cancel.error} />
      {cancel.data === false && <Text role="status">{t.notBegun}</Text>}
    </>
  );
}

/** @returns false when no such session runs, because it has not begun or has just ended */
async function endSession(correlation: string): Promise<boolean> {
  const { data } = await requests.GET('/sessions', {
    params: { query: { correlation_id: correlation, limit: 1 } },
  });
  const session = data?.data.find(({ status }) => status === 'open');
  if (session === undefined) return false;
  await requests.POST('/sessions/{session_id}/kill', { params: { path: { session_id: session.id } } });
  return true;
}
