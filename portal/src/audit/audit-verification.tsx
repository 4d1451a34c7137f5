import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { texts } from '../texts';

const t = texts.audit;

/** A button that makes the gateway verify the chain of the audit log, and the result. */
export function AuditVerification() {
  const [isAsked, setAsked] = useState(false);
  const query = api.useQuery(
    'get',
    '/audit/verify',
    {},
    // Verification reads the whole log, so it runs only on request.
    { enabled: isAsked, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false },
  );
  const verify = (): void => {
    if (isAsked) void query.refetch();
    else setAsked(true);
  };
  return (
    <Stack align="start">
      <Button variant="default" loading={query.isFetching} onClick={verify}>
        {t.verify}
      </Button>
      {query.isFetching && <Text role="status">{t.verifying}</Text>}
      {isAsked && !query.isFetching && (
        <Loaded query={query}>
          {({ valid, checked, broken_at: broken, head }) => (
            <Alert color={valid ? 'green' : 'red'} title={valid ? t.valid : t.broken} role="status" w="100%">
              <Text>{t.checked(checked)}</Text>
              {broken !== null && <Text>{t.brokenAt(broken)}</Text>}
              <Text mt="sm" style={{ overflowWrap: 'anywhere' }}>
                {t.head}: <Code>{head}</Code>
              </Text>
              <Text size="sm">{t.headExplained}</Text>
            </Alert>
          )}
        </Loaded>
      )}
    </Stack>
  );
}
