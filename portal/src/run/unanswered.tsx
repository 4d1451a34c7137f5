import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../api/client';
import { ChangeFault } from '../parts/change';
import { texts } from '../texts';

const t = texts.run;
/** Time limit of the search for the session. If the script arrives late, it is expected within this time. */
const WATCHED_MS = 60_000;
const ASKED_EVERY_MS = 2_000;

interface Props {
  /** Correlation id by which the session is found. */
  readonly correlation: string;
  /** Whether the user canceled the script before its session was found. If so, ends a session found later. */
  readonly isCancelled: boolean;
}

/** Looks up the session of a script whose request got no response. */
export function Unanswered({ correlation, isCancelled }: Props) {
  const [until] = useState(() => Date.now() + WATCHED_MS);
  const { data } = useQuery({
    ...api.queryOptions('get', '/sessions', { params: { query: { correlation_id: correlation, limit: 1 } } }),
    refetchInterval: ({ state }) => {
      const found = state.data?.data[0];
      const isKnown = found !== undefined && !(isCancelled && found.status === 'open');
      return isKnown || Date.now() > until ? false : ASKED_EVERY_MS;
    },
  });
  const kill = api.useMutation('post', '/sessions/{session_id}/kill');
  const session = data?.data[0];
  const { isIdle, mutate } = kill;
  const isToEnd = isCancelled && session?.status === 'open' && isIdle;
  useEffect(() => {
    if (isToEnd) mutate({ params: { path: { session_id: session.id } } });
  }, [isToEnd, mutate, session?.id]);
  if (session === undefined)
    return <Text role="status">{data === undefined ? t.asks : isCancelled ? t.cancelled : t.notThere}</Text>;
  return (
    <Alert color="blue" role="status">
      <ChangeFault fault={kill.error} />
      <Text>{isCancelled && !isIdle ? t.endedLate : t.there}</Text>
      <Anchor
        c="inherit"
        underline="always"
        renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session.id }} {...props} />}
      >
        {t.session}
      </Anchor>
    </Alert>
  );
}
