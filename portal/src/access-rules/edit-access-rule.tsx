import { Group, Stack } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { requests } from '../api/client';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { Deletion } from '../parts/deletion';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { accessRuleLabels } from '../parts/field-labels';
import { Loaded } from '../parts/loaded';
import { Managed } from '../parts/managed';
import { Page } from '../parts/page';
import { Warnings } from '../parts/warnings';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';
import { type AccessRuleBody, type CheckedAccessRule, draftOf } from './access-rule';
import { AccessRuleInputs } from './access-rule-inputs';
import { WhoCouldApprove } from './who-could-approve';

const t = texts.accessRules;
const route = getRouteApi('/shell/readers/access-rules/$name');
const read = (name: string) => requests.GET('/access-requests/rules/{name}', { params: { path: { name } } });

/** The page of one access rule. Auditors can only read it. */
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
  const follow = (tagged: Tagged<CheckedAccessRule>): void => {
    // The URL of the page contains the name of the rule, so a new name needs a new URL.
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
    onSaved: (saved) => (onSaved(saved), follow(saved)),
    onTaken: (theirs) => (onTaken(theirs), follow(theirs)),
  });
  const mayChange = isAdmin(person) && manager === null;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base.data));
  return (
    <Stack>
      <Managed by={manager} />
      <Warnings warnings={warnings} />
      <EditForm
        saving={saving}
        isChanged={isChanged}
        mayChange={mayChange}
        mine={(body) => body}
        theirs={draftOf}
        labels={accessRuleLabels}
        onSave={() => {
          send();
          saving.save(draft);
        }}
        onUndo={undo}
      >
        <Stack>
          <AccessRuleInputs draft={draft} onChange={change} />
          <WhoCouldApprove draft={draft} />
        </Stack>
      </EditForm>
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
            labels={accessRuleLabels}
            onDeleted={() => void navigate({ to: '/access-rules', ignoreBlocker: true })}
          />
        </Group>
      )}
    </Stack>
  );
}
