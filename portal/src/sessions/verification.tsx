import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.session;
const COLORS = {
  valid: 'green',
  unsealed: 'yellow',
  unfinished: 'blue',
  purged: 'gray',
  broken: 'red',
  unknown_key: 'red',
} as const;

/** Has the gateway verify the recording, and shows the result. */
export function Verification({ id }: { readonly id: string }) {
  const query = api.useQuery('get', '/sessions/{session_id}/verify', {
    params: { path: { session_id: id } },
  });
  return (
    <Stack align="start">
      <Loaded query={query}>
        {({ status, events, chunks, chain_hash: hash, faults }) => (
          <Alert color={COLORS[status]} title={t.verified[status]} role="status" w="100%">
            <Text>{t.counted(events, chunks)}</Text>
            <Code>{hash}</Code>
            <List>
              {faults.map(({ seq, reason }) => (
                <List.Item key={`${seq} ${reason}`}>
                  <Said text={reason} />
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Loaded>
      <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t.verifyAgain}
      </Button>
    </Stack>
  );
}
