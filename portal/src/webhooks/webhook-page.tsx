import { Alert, Button, Group, Stack, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { api, requests } from '../api/client';
import { queries } from '../api/queries';
import { type Tagged, useTagged } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { Deletion } from '../parts/deletion';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { Deliveries } from './deliveries';
import { type Webhook, editableOf } from './webhook';
import { WebhookForm, wordsOf } from './webhook-form';
import { webhookSearchIn } from './webhook-search';
import { WebhookSecret } from './webhook-secret';

const t = texts.webhooks;
const read = (id: string) => requests.GET('/webhooks/{id}', { params: { path: { id } } });
const route = getRouteApi('/shell/admins/webhooks/$id');

/** One webhook: its settings, its secret, and what was sent to it. */
export function WebhookPage() {
  return (
    <Page title={t.webhook}>
      <One />
    </Page>
  );
}

function One() {
  const { id } = route.useParams();
  const query = useTagged(['/webhooks/{id}', id], () => read(id));
  return <Loaded query={query}>{(tagged) => <Shown key={id} tagged={tagged} />}</Loaded>;
}

function Shown({ tagged }: { readonly tagged: Tagged<Webhook> }) {
  const { id, disabled_reason: why } = tagged.data;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Said text={tagged.data.url} />
      {why !== null && (
        <Alert color="red" title={t.disabledBecause}>
          <Said text={why} />
        </Alert>
      )}
      <Actions tagged={tagged} />
      <Tabs
        value={search.part ?? 'settings'}
        onChange={(part) =>
          void navigate({ search: webhookSearchIn({ part }), replace: true, resetScroll: false })
        }
        keepMounted={false}
      >
        <Tabs.List aria-label={t.parts}>
          <Tabs.Tab value="settings">{t.settings}</Tabs.Tab>
          <Tabs.Tab value="deliveries">{t.deliveries}</Tabs.Tab>
          <Tabs.Tab value="secret">{t.secret}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings" pt="md" keepMounted>
          <WebhookForm read={tagged} />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries" pt="md">
          <Deliveries
            id={id}
            search={search}
            onSearch={(to) => void navigate({ search: { ...to, part: 'deliveries' }, resetScroll: false })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="secret" pt="md" keepMounted>
          <WebhookSecret id={id} etag={tagged.etag} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Actions({ tagged }: { readonly tagged: Tagged<Webhook> }) {
  const navigate = useNavigate();
  const { id, url } = tagged.data;
  const path = { id };
  const test = api.useMutation('post', '/webhooks/{id}/test', {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/webhooks/{id}/deliveries'] }),
  });
  return (
    <Stack>
      <ChangeFault fault={test.error} />
      {test.data !== undefined && (
        <Alert color="green" role="status">
          {t.tested}
        </Alert>
      )}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          loading={test.isPending}
          onClick={() => test.mutate({ params: { path } })}
        >
          {t.test}
        </Button>
        <Deletion
          label={t.delete}
          of={url}
          explained={t.deleteExplained}
          seen={tagged}
          read={() => read(id)}
          remove={(etag) =>
            requests.DELETE('/webhooks/{id}', { params: { path, header: { 'If-Match': etag } } })
          }
          shown={(webhook) => wordsOf(editableOf(webhook))}
          onDeleted={() => void navigate({ to: '/webhooks', ignoreBlocker: true })}
        />
      </Group>
    </Stack>
  );
}
