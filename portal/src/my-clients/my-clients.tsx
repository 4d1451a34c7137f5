import { Table, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { Listing } from '../parts/listing';
import { OwnerChoice } from '../parts/owner-choice';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { SureButton } from '../parts/sure-button';
import { Time } from '../parts/time';
import { isAdmin, mayAct, readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';

type Authorization = components['schemas']['McpAuthorizationView'];

const t = texts.myClients;
const PAGE = 50;
const route = getRouteApi('/shell/mcp-clients');

/** Authorizations of the user's MCP clients. Auditors and admins can also see other users' authorizations. */
export function MyClients() {
  const person = usePerson();
  const { user, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const isOther = user !== undefined && user !== person.id;
  const query = api.useQuery('get', '/mcp-authorizations', {
    params: { query: { page, page_size: PAGE, ...(user === undefined ? {} : { user }) } },
  });
  const show = (id: string): void => void navigate({ search: id === '' ? {} : { user: id } });
  return (
    <Page title={isOther ? t.of(user) : t.title}>
      <Text>{t.explained}</Text>
      {readsAll(person) && <OwnerChoice user={user ?? ''} onShow={show} />}
      <PagedList
        query={query}
        none={t.none}
        onPage={(to) => void navigate({ search: { ...(user === undefined ? {} : { user }), page: to } })}
      >
        {(rows) => <Rows authorizations={rows} />}
      </PagedList>
    </Page>
  );
}

function Rows({ authorizations }: { readonly authorizations: readonly Authorization[] }) {
  const person = usePerson();
  return (
    <Listing heads={[t.client, t.host, t.connection, t.allowed, t.expires, '']}>
      {authorizations.map((one) => (
        <Table.Tr key={one.id}>
          <Table.Td>
            <Said text={one.client_name || one.client_id} />
            <Text size="sm">
              <Said text={one.client_id} />
            </Text>
          </Table.Td>
          <Table.Td>
            <Said text={one.redirect_host} />
          </Table.Td>
          <Table.Td>{one.connection === null ? t.wholeApi : <Said text={one.connection} />}</Table.Td>
          <Table.Td>
            <Time at={one.created_at} />
          </Table.Td>
          <Table.Td>
            <Time at={one.expires_at} />
          </Table.Td>
          <Table.Td>
            {mayAct(person) && (one.user === person.id || isAdmin(person)) && <End authorization={one} />}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

function End({
  authorization: { id, client_name: name, client_id: client },
}: {
  readonly authorization: Authorization;
}) {
  const end = api.useMutation('delete', '/mcp-authorizations/{id}', {
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <SureButton
      label={t.end}
      of={name || client}
      explained={t.endExplained}
      isPending={end.isPending}
      fault={end.error}
      onSure={(done) => end.mutate({ params: { path: { id } } }, { onSuccess: done })}
      onLeft={end.reset}
    />
  );
}
