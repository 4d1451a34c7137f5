import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requests } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.adminConnections.reach;

/** Tests the connection as it is stored, without unsaved changes. */
export function Reach({ name }: { readonly name: string }) {
  const test = useMutation<components['schemas']['ReachView'] | undefined, unknown>({
    mutationFn: async () =>
      (await requests.GET('/connections/{nameOrID}/test', { params: { path: { nameOrID: name } } })).data,
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['get', '/connections'] }),
  });
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t.action}
        </Button>
        <Text size="sm">{t.explained}</Text>
      </Group>
      <ChangeFault fault={test.error} />
      {test.data !== undefined && (
        <Alert
          color={test.data.success ? 'green' : 'red'}
          role="status"
          title={t.outcome(test.data.success, test.data.duration_ms)}
        >
          <Said text={test.data.message} />
        </Alert>
      )}
    </Stack>
  );
}
