import { Button, Checkbox, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { mayAct, usePerson } from '../shell/person';
import { texts } from '../texts';
import type { Review } from './review';

const t = texts.reviews;

/**
 * Shows the button for an emergency if the user has emergency access on the connection. Used only for the
 * user's own pending requests.
 */
export function Emergency({ review }: { readonly review: Review }) {
  const person = usePerson();
  const { data: connection } = api.useQuery('get', '/connections/{nameOrID}', {
    params: { path: { nameOrID: review.connection.id ?? review.connection.name } },
  });
  const groups = connection?.emergency_access_groups ?? [];
  const isIn = groups.includes('*') || groups.some((group) => person.groups.includes(group));
  return mayAct(person) && isIn ? <Declaration id={review.id} /> : null;
}

/** Button that opens a request as an emergency. The user must confirm it and give a reason. */
function Declaration({ id }: { readonly id: string }) {
  const [isAsked, setAsked] = useState(false);
  const [isSure, setSure] = useState(false);
  const [reason, setReason] = useHeld('emergency', () => '');
  const declare = api.useMutation('post', '/reviews/{id}/emergency', {
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Group>
      <ChangeFault fault={declare.error} />
      <Button color="red" loading={declare.isPending} onClick={() => setAsked(true)}>
        {t.emergencyOpen}
      </Button>
      <Modal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t.emergencyOpen}
        closeButtonProps={{ 'aria-label': texts.actions.cancel }}
      >
        <Stack>
          <Text>{t.emergencyExplained}</Text>
          <Checkbox
            label={t.emergencySure}
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          <Textarea
            label={t.emergencyReason}
            required
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autosize
          />
          <Button
            color="red"
            disabled={!isSure || reason.trim() === ''}
            onClick={() => {
              declare.mutate({ params: { path: { id } }, body: { reason: reason.trim() } });
              setAsked(false);
            }}
          >
            {t.emergencyOpen}
          </Button>
        </Stack>
      </Modal>
    </Group>
  );
}
