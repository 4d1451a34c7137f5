import { Alert, Button, Group, Stack, Table, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { api, requests } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Deletion } from '../parts/deletion';
import { useHeld } from '../parts/held';
import { Listing } from '../parts/listing';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';

const t = texts.groups;
const PAGE = 100;
const route = getRouteApi('/shell/readers/groups');

/** Groups with their number of members. */
export function GroupList() {
  const person = usePerson();
  return (
    <Page title={t.title}>
      {isAdmin(person) && <Creation />}
      <Groups />
    </Page>
  );
}

function Groups() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/groups', { params: { query: { page, page_size: PAGE } } });
  return (
    <PagedList query={query} none={t.none} onPage={(to) => void navigate({ search: { page: to } })}>
      {(rows) => <Rows groups={rows} />}
    </PagedList>
  );
}

function Rows({ groups }: { readonly groups: readonly components['schemas']['GroupView'][] }) {
  const mayDelete = isAdmin(usePerson());
  return (
    <Listing heads={[t.name, t.description, t.members, ...(mayDelete ? [''] : [])]}>
      {groups.map((group) => (
        <Table.Tr key={group.name}>
          <Table.Td>
            <Said text={group.name} />
          </Table.Td>
          <Table.Td>
            <Said text={group.description} />
          </Table.Td>
          <Table.Td>{group.members.toLocaleString()}</Table.Td>
          {mayDelete && (
            <Table.Td>
              <GroupDeletion group={group} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </Listing>
  );
}

function GroupDeletion({ group }: { readonly group: components['schemas']['GroupView'] }) {
  const path = { name: group.name };
  return (
    <Deletion
      of={group.name}
      explained={t.deleteExplained}
      seen={{ data: group }}
      read={() => requests.GET('/groups/{name}', { params: { path } })}
      remove={(etag) => requests.DELETE('/groups/{name}', { params: { path, header: { 'If-Match': etag } } })}
      shown={({ description, members }) => ({ [t.description]: description, [t.members]: members })}
      onDeleted={() => undefined}
    />
  );
}

function Creation() {
  const [name, setName] = useHeld('name', () => '');
  const [description, setDescription] = useHeld('description', () => '');
  const create = api.useMutation('post', '/groups', {
    // Clear the field only if it still has the sent text, because the user may type during the request.
    onSuccess: (_made, { body }) => {
      setName((now) => (now === body.name ? '' : now));
      setDescription((now) => (now === body.description ? '' : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <form
      aria-label={t.create}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ body: { name, description } });
      }}
    >
      <Stack>
        <Group align="end">
          <TextInput
            label={t.name}
            required
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label={t.description}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            flex={1}
            miw={200}
          />
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
        <ChangeFault fault={create.error} />
        {create.data !== undefined && (
          <Alert color="green" role="status">
            <Said text={t.made(create.data.name)} />
          </Alert>
        )}
      </Stack>
    </form>
  );
}
