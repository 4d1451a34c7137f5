import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { ChangeFault } from '../parts/change';
import { Page } from '../parts/page';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { DryRun } from './dry-run';
import { type Draft, NEW_DRAFT, bodyOf } from './guardrail';
import { GuardrailInputs } from './guardrail-inputs';

const t = texts.guardrails;

/** A form for a new guardrail. Its page shows the warnings of the gateway. */
export function NewGuardrail() {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(NEW_DRAFT);
  useUnsaved(draft !== NEW_DRAFT);
  const create = api.useMutation('post', '/guardrails', {
    onSuccess: ({ id }) => {
      void queries.invalidateQueries();
      void navigate({ to: '/guardrails/$id', params: { id }, ignoreBlocker: true });
    },
  });
  return (
    <Page title={t.new}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: bodyOf(draft) });
        }}
        noValidate
      >
        <Stack>
          <GuardrailInputs
            draft={draft}
            onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
          />
          <ChangeFault fault={create.error} />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t.create}
            </Button>
          </Group>
        </Stack>
      </form>
      <DryRun draft={draft} />
    </Page>
  );
}
