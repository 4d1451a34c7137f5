import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { useHeld } from '../parts/held';
import { NewForm } from '../parts/new-form';
import { Page } from '../parts/page';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { DryRun } from './dry-run';
import { type Draft, NEW_DRAFT, bodyOf } from './guardrail';
import { GuardrailInputs } from './guardrail-inputs';

const t = texts.guardrails;

/** A form for a new guardrail. After creation, the page of the guardrail shows its warnings. */
export function NewGuardrail() {
  const navigate = useNavigate();
  const [draft, setDraft] = useHeld<Draft>('draft', () => NEW_DRAFT);
  useUnsaved(draft !== NEW_DRAFT);
  const create = api.useMutation('post', '/guardrails', {
    onSuccess: ({ id }) => {
      void queries.invalidateQueries();
      void navigate({ to: '/guardrails/$id', params: { id }, ignoreBlocker: true });
    },
  });
  return (
    <Page title={t.new}>
      <NewForm
        action={t.create}
        isPending={create.isPending}
        fault={create.error}
        onCreate={() => create.mutate({ body: bodyOf(draft) })}
      >
        <GuardrailInputs
          draft={draft}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
      </NewForm>
      <DryRun draft={draft} />
    </Page>
  );
}
