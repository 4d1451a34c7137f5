import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { Copied } from '../parts/copied';
import { LONGEST, withLimit } from '../parts/longest';
import { SureButton } from '../parts/sure-button';
import { Time } from '../parts/time';
import { texts } from '../texts';

const t = texts.webhooks;

/** Rotates the secret, and shows the new one once. */
export function WebhookSecret({ id, etag }: { readonly id: string; readonly etag: string }) {
  const [secret, setSecret] = useState('');
  const rotate = api.useMutation('post', '/webhooks/{id}/rotate-secret', {
    // The secret must not stay in the cache after the page is closed.
    gcTime: 0,
    onSuccess: () => setSecret(''),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tagged', '/webhooks/{id}'] }),
  });
  return (
    <Stack align="start" maw={560}>
      <TextInput
        label={t.secret}
        description={t.secretExplained}
        value={secret}
        {...withLimit(secret, LONGEST.webhookSecret)}
        autoComplete="off"
        onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        w="100%"
      />
      <SureButton
        label={t.rotate}
        explained={t.rotateExplained}
        isPending={rotate.isPending}
        fault={rotate.error}
        onLeft={rotate.reset}
        onSure={(done) =>
          rotate.mutate(
            {
              params: { path: { id }, header: { 'If-Match': etag } },
              body: secret === '' ? {} : { secret },
            },
            { onSuccess: done },
          )
        }
      />
      {rotate.data !== undefined && (
        <Alert color="green" title={t.secretOnce} role="status" w="100%">
          <Copied label={t.secret} text={rotate.data.secret} />
          <Text mt="sm">
            {t.previousUntil} <Time at={rotate.data.previous_valid_until} />
          </Text>
        </Alert>
      )}
    </Stack>
  );
}
