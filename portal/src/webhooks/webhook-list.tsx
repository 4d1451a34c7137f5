import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { texts } from '../texts';
import type { Webhook } from './webhook';

const t = texts.webhooks;
const PAGE = 50;
const route = getRouteApi('/shell/admins/webhooks');

/** The endpoints to which the gateway sends events. */
export function WebhookList() {
  return (
    <Page title={t.title}>
      <Group>
        <Button renderRoot={(props) => <Link to="/webhooks/new" {...props} />}>{t.create}</Button>
      </Group>
      <Webhooks />
    </Page>
  );
}

function Webhooks() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/webhooks', { params: { query: { page, page_size: PAGE } } });
  return (
    <PagedList query={query} none={t.none} onPage={(to) => void navigate({ search: { page: to } })}>
      {(rows) => <Rows webhooks={rows} />}
    </PagedList>
  );
}

function Rows({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <Listing heads={[t.url, t.events, t.format, t.state]}>
      {webhooks.map(({ id, url, description, events, format, enabled }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Anchor renderRoot={(props) => <Link to="/webhooks/$id" params={{ id }} {...props} />}>
              <Said text={url} />
            </Anchor>
            <Text size="sm">
              <Said text={description} />
            </Text>
          </Table.Td>
          <Table.Td>{events.join(', ')}</Table.Td>
          <Table.Td>{t.formats[format]}</Table.Td>
          <Table.Td>
            <Badge variant="outline" color={enabled ? 'green' : 'gray'}>
              {enabled ? t.states.on : t.states.off}
            </Badge>
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
