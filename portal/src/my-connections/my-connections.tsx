import { Anchor, Badge, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useKindTitle } from '../api/choices';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Pager } from '../parts/pager';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.myConnections;
const PAGE = 50;
const route = getRouteApi('/shell/connections');

/** Connections that the user may open, with links to open them. */
export function MyConnections() {
  const titleOf = useKindTitle();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [search, setSearch] = useState('');
  const [looked] = useDebouncedValue(search, 250);
  const query = api.useQuery('get', '/connections', {
    params: { query: { page, page_size: PAGE, ...(looked === '' ? {} : { search: looked }) } },
  });
  const seek = (words: string): void => {
    setSearch(words);
    // A new search begins on the first page.
    if (page > 1) void navigate({ search: {}, replace: true });
  };
  return (
    <Page title={t.title}>
      <TextInput
        label={t.search}
        value={search}
        onChange={({ currentTarget }) => seek(currentTarget.value)}
        maw={360}
      />
      <Loaded query={query}>
        {({ data, pages }) => (
          <>
            {data.length === 0 ? (
              <Text>{looked === '' ? t.none : t.noMatch}</Text>
            ) : (
              <Table.ScrollContainer minWidth={480}>
                <Table highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t.name}</Table.Th>
                      <Table.Th>{t.kind}</Table.Th>
                      <Table.Th>{t.status}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {data.map(({ id, name, description, subtype, status }) => (
                      <Table.Tr key={id}>
                        <Table.Td>
                          <Anchor
                            fw={600}
                            renderRoot={(props) => (
                              <Link to="/connections/$name" params={{ name }} {...props} />
                            )}
                          >
                            <Said text={name} />
                          </Anchor>
                          <Text size="sm">
                            <Said text={description} />
                          </Text>
                        </Table.Td>
                        <Table.Td>{titleOf(subtype)}</Table.Td>
                        <Table.Td>
                          <Badge variant="outline" color={status === 'online' ? 'green' : 'gray'}>
                            {t.state[status]}
                          </Badge>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
            <Pager pages={pages} onPage={(to) => void navigate({ search: { page: to } })} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
