import { Alert, Button, Collapse, Group, Stack, Text, TextInput } from '@mantine/core';
import { useGroupNames } from '../api/choices';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { NamesInput } from '../parts/names-input';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.people;
const EMPTY = { id: '', email: '', name: '' };

/** A form that creates a user who has not signed in yet. */
export function UserCreation() {
  const [opened, setOpened] = useHeld('opened', () => false);
  const [given, setGiven] = useHeld('given', () => EMPTY);
  const [groups, setGroups] = useHeld<string[]>('groups', () => []);
  const create = api.useMutation('post', '/users', {
    // Clear the fields only if they still have the sent texts, because the user may type during the request.
    onSuccess: (_made, { body }) => {
      setGiven((now) =>
        now.id === body.id && now.email === body.email && now.name === (body.name ?? '') ? EMPTY : now,
      );
      setGroups((now) => (now === body.groups ? [] : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const { id, email, name } = given;
  const known = useGroupNames();
  return (
    <Stack align="start">
      <Button variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {t.create}
      </Button>
      <Collapse expanded={opened} w="100%">
        <form
          aria-label={t.create}
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate({ body: { id, email, groups, ...(name === '' ? {} : { name }) } });
          }}
        >
          <Stack maw={480}>
            <Text>{t.createExplained}</Text>
            <TextInput
              label={t.id}
              required
              value={id}
              onChange={({ currentTarget: { value } }) => setGiven({ ...given, id: value })}
            />
            <TextInput
              label={t.email}
              required
              type="email"
              value={email}
              onChange={({ currentTarget: { value } }) => setGiven({ ...given, email: value })}
            />
            <TextInput
              label={t.name}
              value={name}
              onChange={({ currentTarget: { value } }) => setGiven({ ...given, name: value })}
            />
            <NamesInput
              label={t.groups}
              description={t.groupsExplained}
              value={groups}
              known={known}
              onChange={setGroups}
            />
            <ChangeFault fault={create.error} />
            {create.data !== undefined && (
              <Alert color="green" role="status">
                <Said text={t.made(create.data.id)} />
              </Alert>
            )}
            <Group>
              <Button type="submit" loading={create.isPending}>
                {t.create}
              </Button>
            </Group>
          </Stack>
        </form>
      </Collapse>
    </Stack>
  );
}
