import { getRouteApi } from '@tanstack/react-router';
import { api, requests } from '../api/client';
import type { components } from '../api/schema';
import { Deletion } from '../parts/deletion';
import { IssuedRows } from '../parts/issued-rows';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { MachineKeyCreation } from './machine-key-creation';

type MachineKey = components['schemas']['ApiKeyView'];

const t = texts.machineKeys;
const PAGE = 50;
const route = getRouteApi('/shell/admins/api-keys');

/** The API keys of machines. The key text is shown only once, when the key is created. */
export function MachineKeys() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/api-keys', { params: { query: { page, page_size: PAGE } } });
  return (
    <Page title={t.title}>
      <MachineKeyCreation />
      <PagedList query={query} none={t.none} onPage={(to) => void navigate({ search: { page: to } })}>
        {(rows: readonly MachineKey[]) => (
          <IssuedRows
            rows={rows}
            columns={[
              { head: t.key, cell: (key) => key.masked_key },
              { head: t.groups, cell: (key) => <Said text={key.groups.join(', ')} /> },
            ]}
            revocation={(key) => <Revocation machineKey={key} />}
          />
        )}
      </PagedList>
    </Page>
  );
}

function Revocation({ machineKey }: { readonly machineKey: MachineKey }) {
  const path = { id: machineKey.id };
  return (
    <Deletion
      label={texts.issued.revoke}
      of={machineKey.name}
      explained={t.revokeExplained}
      seen={{ data: machineKey }}
      read={() => requests.GET('/api-keys/{id}', { params: { path } })}
      remove={(etag) => requests.DELETE('/api-keys/{id}', { params: { path, header: { 'If-Match': etag } } })}
      shown={({ groups, status }) => ({
        [t.groups]: groups.join(', '),
        [texts.issued.status]: texts.issued.statuses[status],
      })}
      onDeleted={() => undefined}
    />
  );
}
