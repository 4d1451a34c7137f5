import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { latestAlike } from '../api/alike';
import { useGroupNames } from '../api/choices';
import { requests } from '../api/client';
import type { components } from '../api/schema';
import { type Tagged, useSaving } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { ConflictChoice } from '../parts/conflict-choice';
import { NamesInput } from '../parts/names-input';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { USER_STATUSES, type User } from './user';

type Body = components['schemas']['UserChangeBody'];

const t = texts.people;

/** Changes name, status and the groups that are set by hand. */
export function UserForm({ begun }: { readonly begun: Tagged<User> }) {
  // Later reads do not replace what the form began with, or a change by somebody else would be overwritten unseen.
  const [kept, setBase] = useState(begun);
  const base = latestAlike(begun, kept, editableOf);
  const [mine, setMine] = useState(() => editableOf(begun.data));
  const path = { id: base.data.id };
  const { save, keepMine, takeTheirs, conflict, fault, isPending, isSaved } = useSaving<User, User, Body>({
    base,
    read: () => requests.GET('/users/{id}', { params: { path } }),
    write: (body, etag) =>
      requests.PATCH('/users/{id}', { params: { path, header: { 'If-Match': etag } }, body }),
    onSaved: setBase,
    onTaken: (theirs) => {
      setBase(theirs);
      setMine(editableOf(theirs.data));
    },
  });
  const body = changedIn(mine, editableOf(base.data));
  const isUnchanged = Object.keys(body).length === 0;
  const known = useGroupNames();
  useUnsaved(!isUnchanged);
  return (
    <form
      aria-label={t.user}
      onSubmit={(event) => {
        event.preventDefault();
        save(body);
      }}
    >
      <Stack maw={480}>
        <TextInput
          label={t.name}
          maxLength={256}
          value={mine.name}
          onChange={({ currentTarget: { value } }) => setMine({ ...mine, name: value })}
        />
        <Select
          label={t.status}
          description={t.statusExplained}
          value={mine.status}
          data={USER_STATUSES.map((value) => ({ value, label: t.statuses[value] }))}
          onChange={(value) => value !== null && setMine({ ...mine, status: value })}
          allowDeselect={false}
        />
        <NamesInput
          label={t.groups}
          description={t.groupsExplained}
          value={mine.groups}
          known={known}
          onChange={(groups) => setMine({ ...mine, groups })}
        />
        <ChangeFault fault={fault} />
        {conflict !== undefined && (
          <ConflictChoice
            mine={wordsOf(conflict.mine)}
            theirs={wordsOf(editableOf(conflict.theirs.data))}
            isPending={isPending}
            onKeep={keepMine}
            onTake={takeTheirs}
          />
        )}
        {isSaved && isUnchanged && (
          <Alert color="green" role="status">
            {texts.editing.saved}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isPending} disabled={conflict !== undefined || isUnchanged}>
            {texts.editing.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Editable = Required<Body>;

const editableOf = ({ name, status, groups }: User): Editable => ({ name, status, groups });

/** Only what was changed is sent: what nobody touched stays as it is. */
function changedIn(mine: Editable, old: Editable): Body {
  return {
    ...(mine.name === old.name ? {} : { name: mine.name }),
    ...(mine.status === old.status ? {} : { status: mine.status }),
    ...(JSON.stringify(mine.groups) === JSON.stringify(old.groups) ? {} : { groups: mine.groups }),
  };
}

/** Values by the labels of their fields. */
export function wordsOf({ name, status, groups }: Body) {
  return {
    ...(name === undefined ? {} : { [t.name]: name }),
    ...(status === undefined ? {} : { [t.status]: t.statuses[status] }),
    ...(groups === undefined ? {} : { [t.groups]: groups.join('\n') }),
  };
}
