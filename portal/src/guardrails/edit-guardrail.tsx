import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { requests } from '../api/client';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { Deletion } from '../parts/deletion';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { guardrailLabels } from '../parts/field-labels';
import { Loaded } from '../parts/loaded';
import { Managed } from '../parts/managed';
import { Page } from '../parts/page';
import { Warnings } from '../parts/warnings';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import { DryRun } from './dry-run';
import { type CheckedGuardrail, type GuardrailBody, bodyOf, draftOf } from './guardrail';
import { GuardrailInputs } from './guardrail-inputs';
import { Hits } from './hits';
import { History } from './history';

const t = texts.guardrails;
const route = getRouteApi('/shell/readers/guardrails/$id');
const read = (id: string) => requests.GET('/guardrails/{id}', { params: { path: { id } } });

/** The page of one guardrail: hits, form, dry run and history. Auditors can only read it. */
export function EditGuardrail() {
  const { id } = route.useParams();
  const query = useTagged(['guardrails', id], () => read(id));
  return (
    <Page title={query.data?.data.name ?? t.title}>
      <Loaded query={query}>{(guardrail) => <Editor key={id} read={guardrail} />}</Loaded>
    </Page>
  );
}

function Editor({ read: first }: { readonly read: Tagged<CheckedGuardrail> }) {
  const person = usePerson();
  const navigate = useNavigate();
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(first, draftOf);
  const { id, name, managed_by: manager, warnings } = base.data;
  const saving = useSaving<CheckedGuardrail, CheckedGuardrail, GuardrailBody>({
    base,
    read: () => read(id),
    write: (body, etag) =>
      requests.PUT('/guardrails/{id}', { params: { path: { id }, header: { 'If-Match': etag } }, body }),
    onSaved,
    onTaken,
  });
  const mayChange = isAdmin(person) && manager === null;
  const isChanged = JSON.stringify(bodyOf(draft)) !== JSON.stringify(bodyOf(draftOf(base.data)));
  return (
    <Stack>
      <Managed by={manager} />
      <Text>
        {t.hits}: <Hits id={id} />
      </Text>
      <Warnings warnings={warnings} />
      <EditForm
        saving={saving}
        isChanged={isChanged}
        mayChange={mayChange}
        mine={(body) => body}
        theirs={(guardrail) => bodyOf(draftOf(guardrail))}
        labels={guardrailLabels}
        onSave={() => {
          send();
          saving.save(bodyOf(draft));
        }}
        onUndo={undo}
      >
        <GuardrailInputs draft={draft} onChange={change} />
      </EditForm>
      <DryRun draft={draft} />
      {isAdmin(person) && <History type="guardrails" id={id} />}
      {mayChange && (
        <Group>
          <Deletion
            of={name}
            explained={t.deletion}
            seen={base}
            read={() => read(id)}
            remove={(etag) =>
              requests.DELETE('/guardrails/{id}', { params: { path: { id }, header: { 'If-Match': etag } } })
            }
            shown={(guardrail) => bodyOf(draftOf(guardrail))}
            labels={guardrailLabels}
            onDeleted={() => void navigate({ to: '/guardrails', ignoreBlocker: true })}
          />
        </Group>
      )}
    </Stack>
  );
}
