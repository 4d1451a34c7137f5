import { Select, Stack, TextInput } from '@mantine/core';
import { useGroupNames } from '../api/choices';
import { requests } from '../api/client';
import type { components } from '../api/schema';
import { type Tagged, useSaving } from '../api/tagged';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { NamesInput } from '../parts/names-input';
import { texts } from '../texts';
import { USER_STATUSES, type User } from './user';

type Body = components['schemas']['UserChangeBody'];

const t = texts.people;

/** A form for a user's name, status, and the groups that are set by hand. */
export function UserForm({ read }: { readonly read: Tagged<User> }) {
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(read, editableOf);
  const path = { id: base.data.id };
  const saving = useSaving<User, User, Body>({
    base,
    read: () => requests.GET('/users/{id}', { params: { path } }),
    write: (body, etag) =>
      requests.PATCH('/users/{id}', { params: { path, header: { 'If-Match': etag } }, body }),
    onSaved,
    onTaken,
  });
  const body = changedIn(draft, editableOf(base.data));
  const known = useGroupNames();
  return (
    <EditForm
      label={t.user}
      saving={saving}
      isChanged={Object.keys(body).length > 0}
      mine={wordsOf}
      theirs={(user) => wordsOf(editableOf(user))}
      onSave={() => {
        send();
        saving.save(body);
      }}
      onUndo={undo}
    >
      <Stack maw={480}>
        <TextInput
          label={t.name}
          value={draft.name}
          onChange={({ currentTarget: { value: name } }) => change({ name })}
        />
        <Select
          label={t.status}
          description={t.statusExplained}
          value={draft.status}
          data={USER_STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          onChange={(status) => status !== null && change({ status })}
          allowDeselect={false}
        />
        <NamesInput
          label={t.groups}
          description={t.groupsExplained}
          value={draft.groups}
          known={known}
          onChange={(names) => change({ groups: names })}
        />
      </Stack>
    </EditForm>
  );
}

type Editable = Required<Body>;

const editableOf = ({ name, status, groups }: User): Editable => ({ name, status, groups });

/** Returns only the changed fields, so that the request leaves the others as they are. */
function changedIn(mine: Editable, old: Editable): Body {
  return {
    ...(mine.name === old.name ? {} : { name: mine.name }),
    ...(mine.status === old.status ? {} : { status: mine.status }),
    ...(JSON.stringify(mine.groups) === JSON.stringify(old.groups) ? {} : { groups: mine.groups }),
  };
}

/** Returns the field values as text, keyed by their labels. */
export function wordsOf({ name, status, groups }: Body) {
  return {
    ...(name === undefined ? {} : { [t.name]: name }),
    ...(status === undefined ? {} : { [t.status]: t.statuses[status] }),
    ...(groups === undefined ? {} : { [t.groups]: groups.join('\n') }),
  };
}
