import { Anchor, Badge, Button, Group, NativeSelect, Table, Text, TextInput } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useKindTitle, useKinds } from '../api/choices';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Pager } from '../parts/pager';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';
import type { Connection } from './connection';
import { type ConnectionFilters, connectionFiltersIn } from './connection-filters';

const t = texts.adminConnections;
const PAGE = 50;

const route = getRouteApi('/shell/admins/admin-connections');

/** All connections, with the filters of the API. The URL stores the filters. */
export function AdminConnections() {
  const { page = 1, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/connections', {
    params: { query: { ...filters, page, page_size: PAGE } },
  });
  const set = (search: ConnectionFilters): void => void navigate({ search });
  return (
    <Page title={t.title}>
      <Group>
        <Button renderRoot={(props) => <Link to="/new/connection" {...props} />}>{t.new}</Button>
      </Group>
      <Filters key={JSON.stringify(filters)} filters={filters} onChange={set} />
      <Loaded query={query}>
        {({ data, pages }) => (
          <>
            {data.length === 0 ? <Text>{t.none}</Text> : <Rows connections={data} />}
            <Pager pages={pages} onPage={(next) => set({ ...filters, page: next })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface FiltersProps {
  readonly filters: ConnectionFilters;
  readonly onChange: (filters: ConnectionFilters) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  const kinds = useKinds();
  const [given, setGiven] = useState(filters);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(connectionFiltersIn({ ...given }));
      }}
    >
      <Group align="end">
        <TextInput
          label={t.search}
          value={given.search ?? ''}
          onChange={({ currentTarget }) => setGiven({ ...given, search: currentTarget.value })}
        />
        <NativeSelect
          label={t.kind}
          value={given.subtype ?? ''}
          onChange={({ currentTarget }) => setGiven({ ...given, subtype: currentTarget.value })}
          data={[
            { value: '', label: t.allKinds },
            ...kinds.map(({ subtype, title }) => ({ value: subtype, label: title })),
          ]}
        />
        <TextInput
          label={t.attribute}
          value={given.attribute ?? ''}
          onChange={({ currentTarget }) => setGiven({ ...given, attribute: currentTarget.value })}
        />
        <TextInput
          label={t.tag}
          placeholder="environment=production"
          value={given.tag_selector ?? ''}
          onChange={({ currentTarget }) => setGiven({ ...given, tag_selector: currentTarget.value })}
        />
        <Button type="submit">{texts.sessions.search}</Button>
        <Button variant="default" onClick={() => onChange({})}>
          {texts.sessions.clear}
        </Button>
      </Group>
    </form>
  );
}

function Rows({ connections }: { readonly connections: readonly Connection[] }) {
  const titleOf = useKindTitle();
  return (
    <Listing heads={[t.name, t.kind, t.groups, t.tags.title, t.status]}>
      {connections.map(
        ({
          id,
          name,
          description,
          subtype,
          access_groups: groups,
          connection_tags: tags,
          status,
          status_at: at,
        }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Anchor
                fw={600}
                renderRoot={(props) => <Link to="/admin-connections/$name" params={{ name }} {...props} />}
              >
                <Said text={name} />
              </Anchor>
              <Text size="sm">
                <Said text={description} />
              </Text>
            </Table.Td>
            <Table.Td>{titleOf(subtype)}</Table.Td>
            <Table.Td>
              <Said text={groups.join(', ') || t.adminsOnly} />
            </Table.Td>
            <Table.Td>
              <Said
                text={Object.entries(tags)
                  .map(([key, value]) => `${key}=${value}`)
                  .join(', ')}
              />
            </Table.Td>
            <Table.Td>
              <Badge
                variant="outline"
                color={status === 'online' ? 'green' : status === 'offline' ? 'red' : 'gray'}
              >
                {texts.myConnections.state[status]}
              </Badge>
              {at !== null && (
                <Text size="xs">
                  <Time at={at} />
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ),
      )}
    </Listing>
  );
}
