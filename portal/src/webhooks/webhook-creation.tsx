import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { Copied } from '../parts/copied';
import { useHeld } from '../parts/held';
import { LONGEST, withLimit } from '../parts/longest';
import { Page } from '../parts/page';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { EMPTY_WEBHOOK } from './webhook';
import { WebhookFields } from './webhook-fields';

const t = texts.webhooks;

/** Makes a webhook, and shows its secret once. */
export function WebhookCreation() {
  return (
    <Page title={t.create}>
      <Form />
    </Page>
  );
}

function Form() {
  const [given, setGiven] = useHeld('webhook', () => EMPTY_WEBHOOK);
  const [secret, setSecret] = useState('');
  const create = api.useMutation('post', '/webhooks', {
    // The secret must not stay in the cache after the page is closed.
    gcTime: 0,
    onSettled: () => queries.invalidateQueries(),
  });
  useUnsaved(create.data === undefined && (given !== EMPTY_WEBHOOK || secret !== ''), secret !== '');
  if (create.data !== undefined)
    return (
      <Stack>
        <Alert color="green" title={t.secretOnce} role="status">
          <Copied label={t.secret} text={create.data.secret} />
        </Alert>
        <Anchor
          renderRoot={(props) => <Link to="/webhooks/$id" params={{ id: create.data.id }} {...props} />}
        >
          {t.open}
        </Anchor>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ body: { ...given, ...(secret === '' ? {} : { secret }) } });
      }}
    >
      <Stack maw={560}>
        <WebhookFields value={given} onChange={setGiven} />
        <TextInput
          label={t.secret}
          description={t.secretExplained}
          value={secret}
          {...withLimit(secret, LONGEST.webhookSecret)}
          autoComplete="off"
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <ChangeFault fault={create.error} />
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
