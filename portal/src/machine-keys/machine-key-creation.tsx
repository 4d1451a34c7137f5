import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useGroupNames } from '../api/choices';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { Copied } from '../parts/copied';
import { useHeld } from '../parts/held';
import { NamesInput } from '../parts/names-input';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';

const t = texts.machineKeys;
const timeIn = (given: string): string | null => (given === '' ? null : given);

/** A form that creates an API key for a machine, and shows the key once. */
export function MachineKeyCreation() {
  const [name, setName] = useHeld('name', () => '');
  const [groups, setGroups] = useHeld<string[]>('groups', () => []);
  const [expires, setExpires] = useHeld('expires', () => '');
  const known = useGroupNames();
  const create = api.useMutation('post', '/api-keys', {
    // The key must not stay in the cache after the page is closed.
    gcTime: 0,
    // Clear the field only if it still has the sent text, because the user may type during the request.
    onSuccess: (_made, { body }) => {
      setName((now) => (now === body.name ? '' : now));
      setGroups((now) => (now === body.groups ? [] : now));
      setExpires((now) => (timeIn(now) === body.expires_at ? '' : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <form
      aria-label={t.create}
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ body: { name, groups, expires_at: timeIn(expires) } });
      }}
    >
      <Stack maw={560}>
        <TextInput
          label={t.name}
          required
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NamesInput
          label={t.groups}
          description={t.groupsExplained}
          value={groups}
          known={known}
          onChange={setGroups}
        />
        <TimeInput
          label={t.expires}
          description={t.expiresExplained}
          step={60}
          value={expires}
          onChange={setExpires}
        />
        <ChangeFault fault={create.error} />
        {create.data !== undefined && (
          <Alert color="green" title={t.once} role="status">
            <Text>{t.onceExplained}</Text>
            <Copied label={create.data.name} text={create.data.key} />
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
