import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { latestAlike } from '../api/alike';
import { requests } from '../api/client';
import { type Tagged, useSaving } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { ConflictChoice } from '../parts/conflict-choice';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { EVENTS, type EditableWebhook, type Webhook, editableOf } from './webhook';
import { WebhookFields } from './webhook-fields';

const t = texts.webhooks;

/** Changes everything of a webhook except for its secret. */
export function WebhookForm({ begun }: { readonly begun: Tagged<Webhook> }) {
  // Later reads do not replace what the form began with, or a change by somebody else would be overwritten unseen.
  const [kept, setBase] = useState(begun);
  const base = latestAlike(begun, kept, editableOf);
  const [mine, setMine] = useState(() => editableOf(begun.data));
  const path = { id: base.data.id };
  const { save, keepMine, takeTheirs, conflict, fault, isPending, isSaved } = useSaving<
    Webhook,
    Webhook,
    EditableWebhook
  >({
    base,
    read: () => requests.GET('/webhooks/{id}', { params: { path } }),
    write: (body, etag) =>
      requests.PUT('/webhooks/{id}', { params: { path, header: { 'If-Match': etag } }, body }),
    onSaved: setBase,
    onTaken: (theirs) => {
      setBase(theirs);
      setMine(editableOf(theirs.data));
    },
  });
  const isUnchanged = JSON.stringify(wordsOf(mine)) === JSON.stringify(wordsOf(editableOf(base.data)));
  useUnsaved(!isUnchanged);
  return (
    <form
      aria-label={t.settings}
      onSubmit={(event) => {
        event.preventDefault();
        save(mine);
      }}
    >
      <Stack maw={560}>
        <WebhookFields value={mine} onChange={setMine} />
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

/** Values by the labels of their fields. */
export function wordsOf({ url, events, format, description, enabled }: EditableWebhook) {
  return {
    [t.url]: url,
    [t.events]: EVENTS.filter((event) => events.includes(event)).join('\n'),
    [t.format]: t.formats[format],
    [t.description]: description,
    [t.enabled]: enabled ? t.states.on : t.states.off,
  };
}
