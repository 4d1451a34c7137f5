import { Anchor, Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { ScriptResult } from '../run/script-result';
import type { Review } from './review';
import { texts } from '../texts';

interface Props {
  /** Id of the session that will run the approved script. */
  readonly id: string;
  readonly status: Review['status'];
}

/** Button that runs an approved script once, and the result of the script. */
export function RunApproved({ id, status }: Props) {
  const run = api.useMutation('post', '/sessions/{session_id}/exec', {
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Stack>
      {status === 'APPROVED' && run.data === undefined && (
        <Button
          loading={run.isPending}
          onClick={() => run.mutate({ params: { path: { session_id: id } }, body: {} })}
        >
          {texts.reviews.runNow}
        </Button>
      )}
      <ChangeFault fault={run.error} />
      {run.data !== undefined && <ScriptResult of={run.data} />}
      {status === 'EXECUTED' && (
        <Anchor renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}>
          {texts.reviews.session}
        </Anchor>
      )}
    </Stack>
  );
}
