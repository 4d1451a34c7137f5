import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import type { AccessRule } from './access-rule';

const t = texts.accessRules;
const route = getRouteApi('/shell/readers/access-rules');
const PAGE = 50;

/** All access rules. */
export function AccessRuleList() {
  const person = usePerson();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/access-requests/rules', {
    params: { query: { page, page_size: PAGE } },
  });
  return (
    <Page title={t.title}>
      {isAdmin(person) && (
        <Group>
          <Button renderRoot={(props) => <Link to="/new/access-rule" {...props} />}>{t.new}</Button>
        </Group>
      )}
      <PagedList query={query} none={t.none} onPage={(next) => void navigate({ search: { page: next } })}>
        {(rows) => <Rows rules={rows} />}
      </PagedList>
    </Page>
  );
}

function Rows({ rules }: { readonly rules: readonly AccessRule[] }) {
  return (
    <Listing heads={[t.name, t.type, t.covers, t.reviewers]}>
      {rules.map(
        ({
          id,
          name,
          description,
          access_type: type,
          connection_names: connections,
          attributes,
          reviewers_groups: groups,
        }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Anchor
                fw={600}
                renderRoot={(props) => <Link to="/access-rules/$name" params={{ name }} {...props} />}
              >
                <Said text={name} />
              </Anchor>
              <Text size="sm">
                <Said text={description} />
              </Text>
            </Table.Td>
            <Table.Td>{t.types[type]}</Table.Td>
            <Table.Td>
              <Said text={[...connections, ...attributes].join(', ')} />
            </Table.Td>
            <Table.Td>
              <Said text={groups.join(', ')} />
            </Table.Td>
          </Table.Tr>
        ),
      )}
    </Listing>
  );
}
