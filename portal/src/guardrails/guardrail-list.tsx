import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import type { Guardrail } from './guardrail';
import { Hits } from './hits';

const t = texts.guardrails;
const route = getRouteApi('/shell/readers/guardrails');
/** Rows of a page. Small, because each row sends a request for its hits. */
const PAGE = 20;

/** All guardrails with their hits. */
export function GuardrailList() {
  const person = usePerson();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/guardrails', { params: { query: { page, page_size: PAGE } } });
  return (
    <Page title={t.title}>
      {isAdmin(person) && (
        <Group>
          <Button renderRoot={(props) => <Link to="/new/guardrail" {...props} />}>{t.new}</Button>
        </Group>
      )}
      <PagedList query={query} none={t.none} onPage={(next) => void navigate({ search: { page: next } })}>
        {(rows) => <Rows guardrails={rows} />}
      </PagedList>
    </Page>
  );
}

function Rows({ guardrails }: { readonly guardrails: readonly Guardrail[] }) {
  return (
    <Listing heads={[t.name, t.bound, t.hits]}>
      {guardrails.map(({ id, name, description, attributes, connection_ids: connections }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Anchor fw={600} renderRoot={(props) => <Link to="/guardrails/$id" params={{ id }} {...props} />}>
              <Said text={name} />
            </Anchor>
            <Text size="sm">
              <Said text={description} />
            </Text>
          </Table.Td>
          <Table.Td>
            <Said text={t.boundTo(connections.length, attributes)} />
          </Table.Td>
          <Table.Td>
            <Hits id={id} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
