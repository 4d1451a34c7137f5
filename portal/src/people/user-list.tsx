import { Anchor, Badge, Button, Group, Table, TextInput } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Listing } from '../parts/listing';
import { LONGEST, withLimit } from '../parts/longest';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { useRestarted } from '../parts/restarted';
import { Said } from '../parts/said';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import { UserCreation } from './user-creation';
import { USER_STATUS_COLORS, type User } from './user';

const t = texts.people;
const PAGE = 50;
const route = getRouteApi('/shell/readers/users');

/** All users of the gateway. The URL stores the search. */
export function UserList() {
  return (
    <Page title={t.title}>
      <Searched />
    </Page>
  );
}

function Searched() {
  const { search = '', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const person = usePerson();
  const query = api.useQuery('get', '/users', {
    params: { query: { page, page_size: PAGE, ...(search === '' ? {} : { search }) } },
  });
  const find = (words: string): void => void navigate({ search: words === '' ? {} : { search: words } });
  return (
    <>
      {isAdmin(person) && <UserCreation />}
      <UserFilter words={search} onSearch={find} />
      <PagedList
        query={query}
        none={t.none}
        onPage={(to) => void navigate({ search: { ...(search === '' ? {} : { search }), page: to } })}
      >
        {(rows) => <Rows users={rows} />}
      </PagedList>
    </>
  );
}

interface SearchProps {
  readonly words: string;
  readonly onSearch: (words: string) => void;
}

function UserFilter({ words, onSearch }: SearchProps) {
  const [typed, setTyped] = useRestarted(words);
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Group align="end">
        <TextInput
          label={t.search}
          value={typed}
          {...withLimit(typed, LONGEST.userSearch)}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          flex={1}
          miw={200}
          maw={360}
        />
        <Button type="submit">{t.find}</Button>
      </Group>
    </form>
  );
}

function Rows({ users }: { readonly users: readonly User[] }) {
  return (
    <Listing heads={[t.name, t.email, t.role, t.allGroups, t.status]}>
      {users.map(({ user_id: key, id, name, email, role, status, ...of }) => (
        <Table.Tr key={key}>
          <Table.Td>
            <Anchor renderRoot={(props) => <Link to="/users/$id" params={{ id }} {...props} />}>
              <Said text={name || email || id} />
            </Anchor>
          </Table.Td>
          <Table.Td>
            <Said text={email} />
          </Table.Td>
          <Table.Td>{t.roles[role]}</Table.Td>
          <Table.Td>
            <Said text={[...new Set([...of.groups, ...of.idp_groups, ...of.scim_groups])].join(', ')} />
          </Table.Td>
          <Table.Td>
            <Badge variant="outline" color={USER_STATUS_COLORS[status]}>
              {t.statuses[status]}
            </Badge>
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
