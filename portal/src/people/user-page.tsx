import { Anchor, Badge, Group, Stack } from '@mantine/core';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { requests } from '../api/client';
import { type Tagged, useTagged } from '../api/tagged';
import { Deletion } from '../parts/deletion';
import { FactRow, Facts } from '../parts/facts';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import { USER_STATUS_COLORS, type User } from './user';
import { UserForm, wordsOf } from './user-form';

/** Styles that wrap group names, which can have up to 255 characters. */
const LONG_NAMES = {
  root: { flexShrink: 1, maxWidth: '100%' },
  label: { overflowWrap: 'anywhere', whiteSpace: 'normal' },
} as const;

const t = texts.people;
const read = (id: string) => requests.GET('/users/{id}', { params: { path: { id } } });
const route = getRouteApi('/shell/readers/users/$id');

/** The page of one user: status, groups and their origin. Admins can change the user. */
export function UserPage() {
  const { id } = route.useParams();
  const query = useTagged(['/users/{id}', id], () => read(id));
  const user = query.data?.data;
  return (
    <Page title={user === undefined ? t.user : user.name || user.email}>
      <Loaded query={query}>{(tagged) => <Shown key={id} tagged={tagged} />}</Loaded>
    </Page>
  );
}

function Shown({ tagged }: { readonly tagged: Tagged<User> }) {
  const person = usePerson();
  const navigate = useNavigate();
  const {
    id,
    email,
    status,
    role,
    groups,
    idp_groups: fromProvider,
    created_at: created,
    updated_at: updated,
  } = tagged.data;
  return (
    <Stack>
      <Facts>
        <FactRow name={t.email}>
          <Said text={email} />
        </FactRow>
        <FactRow name={t.id}>
          <Said text={id} />
        </FactRow>
        <FactRow name={t.status}>
          <Badge variant="outline" color={USER_STATUS_COLORS[status]}>
            {t.statuses[status]}
          </Badge>
        </FactRow>
        <FactRow name={t.role}>{t.roles[role]}</FactRow>
        <FactRow name={t.groups}>
          <Names names={groups} />
        </FactRow>
        <FactRow name={t.idpGroups}>
          <Names names={fromProvider} />
        </FactRow>
        <FactRow name={t.created}>
          <Time at={created} />
        </FactRow>
        <FactRow name={t.updated}>
          <Time at={updated} />
        </FactRow>
      </Facts>
      <Anchor renderRoot={(props) => <Link to="/mcp-clients" search={{ user: id }} {...props} />}>
        {t.allowed}
      </Anchor>
      <Anchor renderRoot={(props) => <Link to="/ssh-keys" search={{ user: id }} {...props} />}>
        {t.sshKeys}
      </Anchor>
      {isAdmin(person) && <UserForm read={tagged} />}
      {isAdmin(person) && (
        <Group>
          <Deletion
            label={t.delete}
            of={email}
            explained={t.deleteExplained}
            seen={tagged}
            read={() => read(id)}
            remove={(etag) =>
              requests.DELETE('/users/{id}', { params: { path: { id }, header: { 'If-Match': etag } } })
            }
            shown={wordsOf}
            onDeleted={() => void navigate({ to: '/users', ignoreBlocker: true })}
          />
        </Group>
      )}
    </Stack>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return t.noGroups;
  return (
    <Group gap="xs">
      {names.map((name) => (
        <Badge key={name} variant="default" tt="none" styles={LONG_NAMES}>
          <Said text={name} />
        </Badge>
      ))}
    </Group>
  );
}
