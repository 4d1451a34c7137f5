import { TextInput } from '@mantine/core';
import { useGroupNames } from '../api/choices';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { CreationForm } from '../parts/creation-form';
import { useHeld } from '../parts/held';
import { useNamedUntil } from '../parts/named-until';
import { NamesInput } from '../parts/names-input';
import { ShownOnce } from '../parts/shown-once';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';

const t = texts.machineKeys;

/** A form that creates an API key for a machine, and shows the key once. */
export function MachineKeyCreation() {
  const fields = useNamedUntil();
  const [groups, setGroups] = useHeld<string[]>('groups', () => []);
  const known = useGroupNames();
  const create = api.useMutation('post', '/api-keys', {
    // The key must not stay in the cache after the page is closed.
    gcTime: 0,
    onSuccess: (_made, { body }) => {
      fields.clear(body);
      setGroups((now) => (now === body.groups ? [] : now));
    },
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <CreationForm
      action={t.create}
      isPending={create.isPending}
      fault={create.error}
      onCreate={() => create.mutate({ body: { ...fields.body, groups } })}
      made={
        create.data && (
          <ShownOnce
            title={t.once}
            explained={t.onceExplained}
            name={create.data.name}
            secret={create.data.key}
          />
        )
      }
    >
      <TextInput label={texts.issued.name} required {...fields.name} />
      <NamesInput
        label={t.groups}
        description={t.groupsExplained}
        value={groups}
        known={known}
        onChange={setGroups}
      />
      <TimeInput label={texts.issued.expires} description={t.expiresExplained} {...fields.expires} />
    </CreationForm>
  );
}
