import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { requests } from '../api/client';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { ConflictChoice } from '../parts/conflict-choice';
import { Deletion } from '../parts/deletion';
import { useDraft } from '../parts/draft';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { useUnsaved } from '../parts/unsaved';
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

/** One guardrail: hits, form, dry run, history. Auditors read it. */
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
  useUnsaved(isChanged && mayChange);
  return (
    <Stack>
      {manager !== null && (
        <Text>
          <Said text={texts.editing.managedBy(manager)} />
        </Text>
      )}
      <Text>
        {t.hits}: <Hits id={id} />
      </Text>
      <Warnings warnings={warnings} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
          saving.save(bodyOf(draft));
        }}
        noValidate
      >
        <Stack>
          <Fieldset variant="unstyled" disabled={!mayChange}>
            <GuardrailInputs draft={draft} onChange={change} />
          </Fieldset>
          {saving.conflict !== undefined && (
            <ConflictChoice
              mine={saving.conflict.mine}
              theirs={bodyOf(draftOf(saving.conflict.theirs.data))}
              isPending={saving.isPending}
              onKeep={saving.keepMine}
              onTake={saving.takeTheirs}
            />
          )}
          <ChangeFault fault={saving.fault} />
          {mayChange && (
            <Group>
              <Button
                type="submit"
                loading={saving.isPending}
                disabled={!isChanged || saving.conflict !== undefined}
              >
                {texts.editing.save}
              </Button>
              {isChanged && (
                <Button variant="default" onClick={undo}>
                  {texts.editing.undo}
                </Button>
              )}
              {saving.isSaved && !isChanged && <Text role="status">{texts.editing.saved}</Text>}
            </Group>
          )}
        </Stack>
      </form>
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
            onDeleted={() => void navigate({ to: '/guardrails', ignoreBlocker: true })}
          />
        </Group>
      )}
    </Stack>
  );
}
