import { Alert, Anchor, Badge, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Copied } from '../parts/copied';
import { useHeld } from '../parts/held';
import { ACCESS_LENGTHS, lengthOf } from '../parts/lengths';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { Time, fromNow } from '../parts/time';
import { texts } from '../texts';

type Credential = components['schemas']['CredentialView'];

const t = texts.credentialWay;
const ENDED = new Set<Credential['status']>(['expired', 'revoked', 'rejected']);

/** Issues a credential for psql, ssh or another client and shows it once. Lists credentials with the time left. */
export function CredentialWay({ name, protocol }: { readonly name: string; readonly protocol: string }) {
  const [seconds, setSeconds] = useState(3_600);
  const [reason, setReason] = useHeld('reason', () => '');
  const issue = api.useMutation('post', '/connections/{nameOrID}/credentials', {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/connection-credentials'] }),
  });
  const ask = (): void =>
    issue.mutate({
      params: { path: { nameOrID: name } },
      body: { access_duration_seconds: seconds, reason: reason === '' ? null : reason },
    });
  const issued = issue.data?.connection_credentials;
  return (
    <Stack>
      <Group align="end">
        <Select
          label={t.duration}
          value={String(seconds)}
          onChange={(value) => setSeconds(Number(value))}
          data={ACCESS_LENGTHS.map((each) => ({ value: String(each), label: lengthOf(each) }))}
          allowDeselect={false}
        />
        <TextInput
          label={t.reason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          flex={1}
          miw={200}
        />
        <Button onClick={ask} loading={issue.isPending}>
          {t.ask}
        </Button>
      </Group>
      <ChangeFault fault={issue.error} />
      {issued !== undefined && issued !== null && (
        <Alert color="green" title={t.once} role="status">
          <Stack>
            <Copied label={t.line} text={texts.kinds.clientLine(protocol, issued.connection_string)} />
            <Copied label={t.password} text={issued.password} />
          </Stack>
        </Alert>
      )}
      {issue.data !== undefined && (issued === undefined || issued === null) && (
        <Alert color="blue" title={t.waits} role="status">
          <Text>{t.repeat}</Text>
          {issue.data.review_id !== null && <Request id={issue.data.review_id} />}
        </Alert>
      )}
      <Credentials name={name} />
    </Stack>
  );
}

/**
 * Link to the page of the request for access. That page shows the reviewers. There the user can also withdraw
 * the request, or open it in an emergency.
 */
function Request({ id }: { readonly id: string }) {
  return (
    <Anchor
      c="inherit"
      underline="always"
      renderRoot={(props) => <Link to="/reviews/$id" params={{ id }} {...props} />}
    >
      {texts.run.request}
    </Anchor>
  );
}

function Credentials({ name }: { readonly name: string }) {
  const query = api.useQuery('get', '/connection-credentials', { params: { query: { page_size: 100 } } });
  const revoke = api.useMutation('post', '/connections/{nameOrID}/credentials/{id}/revoke', {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/connection-credentials'] }),
  });
  return (
    <Loaded query={query}>
      {({ data }) => {
        const own = data.filter(({ connection_name }) => connection_name === name);
        if (own.length === 0) return <Text>{t.none}</Text>;
        return (
          <Table.ScrollContainer minWidth={560}>
            <ChangeFault fault={revoke.error} />
            <Table>
              <Table.Caption>{t.credentials}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.made}</Table.Th>
                  <Table.Th>{t.reason}</Table.Th>
                  <Table.Th>{t.state}</Table.Th>
                  <Table.Th>{t.left}</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {own.map(({ id, created_at, reason, status, expire_at }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Time at={created_at} />
                    </Table.Td>
                    <Table.Td>
                      <Said text={reason ?? ''} />
                    </Table.Td>
                    <Table.Td>
                      <Badge variant="outline" color={status === 'active' ? 'green' : 'gray'}>
                        {t.states[status]}
                      </Badge>
                    </Table.Td>
                    <Table.Td>{expire_at !== null && !ENDED.has(status) && fromNow(expire_at)}</Table.Td>
                    <Table.Td>
                      {!ENDED.has(status) && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          loading={revoke.isPending}
                          onClick={() => revoke.mutate({ params: { path: { nameOrID: name, id } } })}
                        >
                          {t.revoke}
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        );
      }}
    </Loaded>
  );
}
