import { Badge, Table, Text } from '@mantine/core';
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
import { SshKeyRegistration } from './ssh-key-registration';

type SshKey = components['schemas']['SshPublicKeyView'];

const t = texts.sshKeys;
const PAGE = 50;
const COLORS: Readonly<Record<SshKey['status'], string>> = { active: 'green', expired: 'gray' };
const route = getRouteApi('/shell/ssh-keys');

/** Public keys by which the user signs in over SSH. Auditors and admins can also see those of others. */
export function SshKeys() {
  const person = usePerson();
  const { user, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const isOther = user !== undefined && user !== person.id;
  const query = api.useQuery('get', '/ssh-public-keys', {
    params: { query: { page, page_size: PAGE, ...(user === undefined ? {} : { user }) } },
  });
  const show = (id: string): void => void navigate({ search: id === '' ? {} : { user: id } });
  return (
    <Page title={isOther ? t.of(user) : t.title}>
      <Text>{t.explained}</Text>
      {!isOther && mayAct(person) && <SshKeyRegistration />}
      {readsAll(person) && <OwnerChoice user={user ?? ''} onShow={show} />}
      <PagedList
        query={query}
        none={t.none}
        onPage={(to) => void navigate({ search: { ...(user === undefined ? {} : { user }), page: to } })}
      >
        {(rows) => <Rows keys={rows} />}
      </PagedList>
    </Page>
  );
}

function Rows({ keys }: { readonly keys: readonly SshKey[] }) {
  const person = usePerson();
  return (
    <Listing heads={[t.name, t.fingerprint, t.status, t.expires, t.registered, t.lastUsed, '']}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>
            <Said text={key.name} />
          </Table.Td>
          <Table.Td>
            <Said text={key.fingerprint} />
            <Text size="sm">{t.kind(key.type, key.bits)}</Text>
          </Table.Td>
          <Table.Td>
            <Badge variant="outline" color={COLORS[key.status]}>
              {t.statuses[key.status]}
            </Badge>
          </Table.Td>
          <Table.Td>{key.expires_at === null ? t.never : <Time at={key.expires_at} />}</Table.Td>
          <Table.Td>
            <Time at={key.created_at} />
          </Table.Td>
          <Table.Td>{key.last_used_at === null ? t.never : <Time at={key.last_used_at} />}</Table.Td>
          <Table.Td>
            {mayAct(person) && (key.user === person.id || isAdmin(person)) && <Removal of={key} />}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

function Removal({ of: { id, name } }: { readonly of: SshKey }) {
  const remove = api.useMutation('delete', '/ssh-public-keys/{id}', {
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <SureButton
      label={t.remove}
      of={name}
      explained={t.removeExplained}
      isPending={remove.isPending}
      fault={remove.error}
      onSure={(done) => remove.mutate({ params: { path: { id } } }, { onSuccess: done })}
      onLeft={remove.reset}
    />
  );
}
