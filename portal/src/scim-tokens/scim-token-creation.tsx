import { TextInput } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { CreationForm } from '../parts/creation-form';
import { useNamedUntil } from '../parts/named-until';
import { ShownOnce } from '../parts/shown-once';
import { TimeInput } from '../parts/time-input';
import { texts } from '../texts';

const t = texts.scimTokens;

/** A form that creates a SCIM token, and shows the token once. */
export function ScimTokenCreation() {
  const fields = useNamedUntil();
  const create = api.useMutation('post', '/scim-tokens', {
    // The token must not stay in the cache after the page is closed.
    gcTime: 0,
    onSuccess: (_made, { body }) => fields.clear(body),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <CreationForm
      action={t.create}
      isPending={create.isPending}
      fault={create.error}
      onCreate={() => create.mutate({ body: fields.body })}
      made={
        create.data && (
          <ShownOnce
            title={t.once}
            explained={t.onceExplained}
            name={create.data.name}
            secret={create.data.token}
          />
        )
      }
    >
      <TextInput label={texts.issued.name} description={t.nameExplained} required {...fields.name} />
      <TimeInput label={texts.issued.expires} description={t.expiresExplained} {...fields.expires} />
    </CreationForm>
  );
}
