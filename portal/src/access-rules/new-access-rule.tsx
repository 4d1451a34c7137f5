import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { useHeld } from '../parts/held';
import { NewForm } from '../parts/new-form';
import { Page } from '../parts/page';
import { useUnsaved } from '../parts/unsaved';
import { texts } from '../texts';
import { type Draft, NEW_DRAFT } from './access-rule';
import { AccessRuleInputs } from './access-rule-inputs';
import { WhoCouldApprove } from './who-could-approve';

const t = texts.accessRules;

/** A form for a new access request rule. After creation, the page of the rule shows its warnings. */
export function NewAccessRule() {
  const navigate = useNavigate();
  const [draft, setDraft] = useHeld<Draft>('draft', () => NEW_DRAFT);
  useUnsaved(draft !== NEW_DRAFT);
  const create = api.useMutation('post', '/access-requests/rules', {
    onSuccess: ({ name }) => {
      void queries.invalidateQueries();
      void navigate({ to: '/access-rules/$name', params: { name }, ignoreBlocker: true });
    },
  });
  return (
    <Page title={t.new}>
      <NewForm
        action={t.create}
        isPending={create.isPending}
        fault={create.error}
        onCreate={() => create.mutate({ body: draft })}
      >
        <AccessRuleInputs
          draft={draft}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
        <WhoCouldApprove draft={draft} />
      </NewForm>
    </Page>
  );
}
