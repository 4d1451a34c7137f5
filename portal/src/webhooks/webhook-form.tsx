import { Stack } from '@mantine/core';
import { requests } from '../api/client';
import { type Tagged, useSaving } from '../api/tagged';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { texts } from '../texts';
import { EVENTS, type EditableWebhook, type Webhook, editableOf } from './webhook';
import { WebhookFields } from './webhook-fields';

const t = texts.webhooks;

/** Changes everything of a webhook except for its secret. */
export function WebhookForm({ read }: { readonly read: Tagged<Webhook> }) {
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(read, editableOf);
  const path = { id: base.data.id };
  const saving = useSaving<Webhook, Webhook, EditableWebhook>({
    base,
    read: () => requests.GET('/webhooks/{id}', { params: { path } }),
    write: (body, etag) =>
      requests.PUT('/webhooks/{id}', { params: { path, header: { 'If-Match': etag } }, body }),
    onSaved,
    onTaken,
  });
  return (
    <EditForm
      label={t.settings}
      saving={saving}
      isChanged={JSON.stringify(wordsOf(draft)) !== JSON.stringify(wordsOf(editableOf(base.data)))}
      mine={wordsOf}
      theirs={(webhook) => wordsOf(editableOf(webhook))}
      onSave={() => {
        send();
        saving.save(draft);
      }}
      onUndo={undo}
    >
      <Stack maw={560}>
        <WebhookFields value={draft} onChange={change} />
      </Stack>
    </EditForm>
  );
}

/** Returns the values by the labels of their fields, to compare two versions of a webhook. */
export function wordsOf({ url, events, format, description, enabled }: EditableWebhook) {
  return {
    [t.url]: url,
    [t.events]: EVENTS.filter((event) => events.includes(event)).join('\n'),
    [t.format]: t.formats[format],
    [t.description]: description,
    [t.enabled]: enabled ? t.states.on : t.states.off,
  };
}
