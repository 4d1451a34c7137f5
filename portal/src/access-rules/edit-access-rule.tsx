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
import { type AccessRuleBody, type CheckedAccessRule, draftOf } from './access-rule';
import { AccessRuleInputs } from './access-rule-inputs';
import { WhoCouldApprove } from './who-could-approve';

const t = texts.accessRules;
const route = getRouteApi('/shell/readers/access-rules/$name');
const read = (name: string) => requests.GET('/access-requests/rules/{name}', { params: { path: { name } } });

/** One access rule. Auditors read it. */
export function EditAccessRule() {
  const { name } = route.useParams();
  const query = useTagged(['access-rules', name], () => read(name));
  return (
    <Page title={name}>
      <Loaded query={query}>{(rule) => <Editor key={rule.data.id} read={rule} />}</Loaded>
    </Page>
  );
}

function Editor({ read: first }: { readonly read: Tagged<CheckedAccessRule> }) {
  const person = usePerson();
  const navigate = useNavigate();
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(first, draftOf);
  const { name, managed_by: manager, warnings } = base.data;
  const saved = (tagged: Tagged<CheckedAccessRule>): void => {
    onSaved(tagged);
    // The address has the name, and the name may have changed.
    if (tagged.data.name !== name)
      void navigate({
        to: '/access-rules/$name',
        params: { name: tagged.data.name },
        replace: true,
        ignoreBlocker: true,
      });
  };
  const saving = useSaving<CheckedAccessRule, CheckedAccessRule, AccessRuleBody>({
    base,
    read: () => read(name),
    write: (body, etag) =>
      requests.PUT('/access-requests/rules/{name}', {
        params: { path: { name }, header: { 'If-Match': etag } },
        body,
      }),
    onSaved: saved,
    onTaken,
  });
  const mayChange = isAdmin(person) && manager === null;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base.data));
  useUnsaved(isChanged && mayChange);
  return (
    <Stack>
      {manager !== null && (
        <Text>
          <Said text={texts.editing.managedBy(manager)} />
        </Text>
      )}
      <Warnings warnings={warnings} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
          saving.save(draft);
        }}
        noValidate
      >
        <Stack>
          <Fieldset variant="unstyled" disabled={!mayChange}>
            <AccessRuleInputs draft={draft} onChange={change} />
          </Fieldset>
          <WhoCouldApprove draft={draft} />
          {saving.conflict !== undefined && (
            <ConflictChoice
              mine={saving.conflict.mine}
              theirs={draftOf(saving.conflict.theirs.data)}
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
      {mayChange && (
        <Group>
          <Deletion
            of={name}
            explained={t.deletion}
            seen={base}
            read={() => read(name)}
            remove={(etag) =>
              requests.DELETE('/access-requests/rules/{name}', {
                params: { path: { name }, header: { 'If-Match': etag } },
              })
            }
            shown={draftOf}
            onDeleted={() => void navigate({ to: '/access-rules', ignoreBlocker: true })}
          />
        </Group>
      )}
    </Stack>
  );
}
