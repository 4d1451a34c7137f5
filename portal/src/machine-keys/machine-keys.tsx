import { Badge, Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { api, requests } from '../api/client';
import type { components } from '../api/schema';
import { Deletion } from '../parts/deletion';
import { Listing } from '../parts/listing';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { MachineKeyCreation } from './machine-key-creation';

type MachineKey = components['schemas']['ApiKeyView'];

const t = texts.machineKeys;
const PAGE = 50;
const COLORS: Readonly<Record<MachineKey['status'], string>> = {
  active: 'green',
  expired: 'gray',
  revoked: 'red',
};
const route = getRouteApi('/shell/admins/api-keys');

/** The API keys of machines. The key text is shown only once, when the key is created. */
export function MachineKeys() {
  return (
    <Page title={t.title}>
      <MachineKeyCreation />
      <Keys />
    </Page>
  );
}

function Keys() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/api-keys', { params: { query: { page, page_size: PAGE } } });
  return (
    <PagedList query={query} none={t.none} onPage={(to) => void navigate({ search: { page: to } })}>
      {(rows) => <Rows keys={rows} />}
    </PagedList>
  );
}

function Rows({ keys }: { readonly keys: readonly MachineKey[] }) {
  return (
    <Listing heads={[t.name, t.key, t.groups, t.status, t.expires, t.created, t.creator, '']}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>
            <Said text={key.name} />
          </Table.Td>
          <Table.Td>{key.masked_key}</Table.Td>
          <Table.Td>
            <Said text={key.groups.join(', ')} />
          </Table.Td>
          <Table.Td>
            <Badge variant="outline" color={COLORS[key.status]}>
              {t.statuses[key.status]}
            </Badge>
          </Table.Td>
          <Table.Td>{key.expires_at === null ? t.never : <Time at={key.expires_at} />}</Table.Td>
          <Table.Td>
            <Time at={key.created_at} />
          </Table.Td>
          <Table.Td>
            <Said text={key.created_by} />
          </Table.Td>
          <Table.Td>{key.status !== 'revoked' && <Revocation machineKey={key} />}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

function Revocation({ machineKey }: { readonly machineKey: MachineKey }) {
  const path = { id: machineKey.id };
  return (
    <Deletion
      label={t.revoke}
      of={machineKey.name}
      explained={t.revokeExplained}
      seen={{ data: machineKey }}
      read={() => requests.GET('/api-keys/{id}', { params: { path } })}
      remove={(etag) => requests.DELETE('/api-keys/{id}', { params: { path, header: { 'If-Match': etag } } })}
      shown={({ groups, status }) => ({ [t.groups]: groups.join(', '), [t.status]: t.statuses[status] })}
      onDeleted={() => undefined}
    />
  );
}
