import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requests } from '../api/client';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Said } from '../parts/said';
import { texts } from '../texts';

type Part = components['schemas']['LedgerVerificationView'];

const t = texts.ledger;

/** Button that has the gateway verify the whole ledger of sessions, and the result. */
export function LedgerVerification() {
  const [reached, setReached] = useState(0);
  const verification = useMutation<Verified, unknown>({ mutationFn: () => verifyAll(setReached) });
  const { data } = verification;
  return (
    <Stack align="start">
      <Button variant="default" loading={verification.isPending} onClick={() => verification.mutate()}>
        {t.verify}
      </Button>
      {verification.isPending && <Text role="status">{t.verifying(reached)}</Text>}
      <ChangeFault fault={verification.error} />
      {data !== undefined && <Verdict verified={data} />}
    </Stack>
  );
}

function Verdict({ verified: { faults, last } }: { readonly verified: Verified }) {
  const status = faults.length > 0 ? 'broken' : last.status;
  return (
    <Alert color={status === 'valid' ? 'green' : 'red'} title={t.verified[status]} role="status" w="100%">
      <Text>{t.entries(last.head, last.waiting)}</Text>
      <List>
        {faults.map(({ number, session_id: session, reason }) => (
          <List.Item key={`${number} ${session} ${reason}`}>
            <Said text={`${t.at(number, session)}: ${reason}`} />
          </List.Item>
        ))}
      </List>
      <Text mt="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.head}: <Code>{last.head_hash}</Code>
      </Text>
    </Alert>
  );
}

interface Verified {
  readonly faults: Part['faults'];
  /** Response for the last entries. If `faults` is empty, its status holds for all entries. */
  readonly last: Part;
}

/** Verifies all entries in several requests, because one response verifies at most 2 000 entries. */
async function verifyAll(onReached: (entry: number) => void): Promise<Verified> {
  const faults: Part['faults'] = [];
  let unknown: Part | undefined;
  for (let from = 1; ;) {
    const { data } = await requests.GET('/sessions/verify', { params: { query: { from } } });
    if (data === undefined) throw new Error(t.failed);
    faults.push(...data.faults);
    if (data.status === 'unknown_key') unknown = data;
    onReached(data.to);
    if (data.next === null) return { faults, last: { ...data, status: unknown?.status ?? data.status } };
    from = data.next;
  }
}
