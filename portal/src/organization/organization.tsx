import { Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { requests } from '../api/client';
import type { components } from '../api/schema';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { FactRow, Facts } from '../parts/facts';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Warnings } from '../parts/warnings';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';

type Schemas = components['schemas'];
type Organization = Schemas['OrganizationView'];
type Checked = Schemas['CheckedOrganizationView'];
type Body = Schemas['OrganizationBody'];
type Features = Schemas['FeaturesView'];

const t = texts.organization;
const read = () => requests.GET('/organization');
const wordOf = (isOn: boolean): string => (isOn ? t.on : t.off);

/** The organization and its features, with the warnings of the gateway. */
export function OrganizationPage() {
  return (
    <Page title={t.title}>
      <One />
    </Page>
  );
}

function One() {
  const person = usePerson();
  const query = useTagged(['/organization'], read);
  return (
    <Loaded query={query}>
      {(tagged) => (
        <Stack>
          <Facts>
            <FactRow name={t.name}>
              <Said text={tagged.data.name} />
            </FactRow>
            <FactRow name={t.accessControl}>{wordOf(tagged.data.features.access_control)}</FactRow>
            <FactRow name={t.review}>{wordOf(tagged.data.features.review)}</FactRow>
          </Facts>
          {isAdmin(person) && <Form read={tagged} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Form({ read: latest }: { readonly read: Tagged<Organization> }) {
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(latest, featuresOf);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const saving = useSaving<Organization, Checked, Body>({
    base,
    read,
    write: (body, etag) =>
      requests.PATCH('/organization', { params: { header: { 'If-Match': etag } }, body }),
    onSaved: (saved) => {
      onSaved(saved);
      setWarnings(saved.data.warnings);
    },
    onTaken,
  });
  return (
    <Stack>
      <EditForm
        label={t.features}
        saving={saving}
        isChanged={JSON.stringify(wordsOf(draft)) !== JSON.stringify(wordsOf(featuresOf(base.data)))}
        mine={({ features }) => wordsOf(features)}
        theirs={({ features }) => wordsOf(features)}
        onSave={() => {
          send();
          saving.save({ features: draft });
        }}
        onUndo={undo}
      >
        <Stack>
          <Switch
            label={t.accessControl}
            description={t.accessControlExplained}
            checked={draft.access_control}
            onChange={({ currentTarget: { checked } }) => change({ access_control: checked })}
          />
          <Switch
            label={t.review}
            description={t.reviewExplained}
            checked={draft.review}
            onChange={({ currentTarget: { checked } }) => change({ review: checked })}
          />
        </Stack>
      </EditForm>
      <Warnings warnings={warnings} />
    </Stack>
  );
}

const featuresOf = ({ features }: Organization): Features => features;

/** Returns the state of each feature (on or off) as text, keyed by the label of the feature. */
function wordsOf({ access_control: control, review }: Partial<Features>) {
  return { [t.accessControl]: wordOf(control === true), [t.review]: wordOf(review === true) };
}
