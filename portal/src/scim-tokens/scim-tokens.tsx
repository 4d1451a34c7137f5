import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { API, api, requests } from '../api/client';
import type { components } from '../api/schema';
import { Copied } from '../parts/copied';
import { Deletion } from '../parts/deletion';
import { IssuedRows } from '../parts/issued-rows';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { texts } from '../texts';
import { ScimTokenCreation } from './scim-token-creation';

type ScimToken = components['schemas']['ScimTokenView'];

const t = texts.scimTokens;
const PAGE = 50;
const route = getRouteApi('/shell/admins/scim-tokens');

/** The tokens with which identity providers send people and groups over SCIM, and where they send them. */
export function ScimTokens() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/scim-tokens', { params: { query: { page, page_size: PAGE } } });
  return (
    <Page title={t.title}>
      <Text>{t.explained}</Text>
      <Copied label={t.address} text={new URL(`${API}/scim/v2`, location.origin).href} />
      <ScimTokenCreation />
      <PagedList query={query} none={t.none} onPage={(to) => void navigate({ search: { page: to } })}>
        {(rows: readonly ScimToken[]) => (
          <IssuedRows
            rows={rows}
            columns={[{ head: t.token, cell: (token) => token.masked_token }]}
            revocation={(token) => <Revocation token={token} />}
          />
        )}
      </PagedList>
    </Page>
  );
}

function Revocation({ token }: { readonly token: ScimToken }) {
  const path = { id: token.id };
  return (
    <Deletion
      label={texts.issued.revoke}
      of={token.name}
      explained={t.revokeExplained}
      seen={{ data: token }}
      read={() => requests.GET('/scim-tokens/{id}', { params: { path } })}
      remove={(etag) =>
        requests.DELETE('/scim-tokens/{id}', { params: { path, header: { 'If-Match': etag } } })
      }
      shown={({ status }) => ({ [texts.issued.status]: texts.issued.statuses[status] })}
      onDeleted={() => undefined}
    />
  );
}
