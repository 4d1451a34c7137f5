import { Text } from '@mantine/core';
import { api } from '../api/client';
import { Time } from '../parts/time';
import { texts } from '../texts';

const t = texts.guardrails;

/** Number of hits of a guardrail, and the time of the last one. */
export function Hits({ id }: { readonly id: string }) {
  const { data } = api.useQuery('get', '/guardrails/{id}/stats', { params: { path: { id } } });
  if (data === undefined) return <>{texts.editing.none}</>;
  return (
    <>
      {t.hit(data.hit, data.checked)}
      {data.last_hit !== null && (
        <Text component="span" size="sm" display="block">
          {t.lastHit}: <Time at={data.last_hit} />
        </Text>
      )}
    </>
  );
}
