import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { latestAlike } from '../api/alike';
import { requests } from '../api/client';
import type { components } from '../api/schema';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { ChangeFault } from '../parts/change';
import { ConflictChoice } from '../parts/conflict-choice';
import { FactRow, Facts } from '../parts/facts';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { useUnsaved } from '../parts/unsaved';
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

/** The organization and its features, with what the gateway warns of. */
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
          {isAdmin(person) && <Form begun={tagged} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Form({ begun }: { readonly begun: Tagged<Organization> }) {
  // Later reads do not replace what the form began with, or a change by somebody else would be overwritten unseen.
  const [kept, setBase] = useState(begun);
  const base = latestAlike(begun, kept, ({ features }) => features);
  const [mine, setMine] = useState<Features>(begun.data.features);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { save, keepMine, takeTheirs, conflict, fault, isPending, isSaved } = useSaving<
    Organization,
    Checked,
    Body
  >({
    base,
    read,
    write: (body, etag) =>
      requests.PATCH('/organization', { params: { header: { 'If-Match': etag } }, body }),
    onSaved: (saved) => {
      setBase(saved);
      setWarnings(saved.data.warnings);
    },
    onTaken: (theirs) => {
      setBase(theirs);
      setMine(theirs.data.features);
    },
  });
  const isUnchanged = JSON.stringify(wordsOf(mine)) === JSON.stringify(wordsOf(base.data.features));
  useUnsaved(!isUnchanged);
  return (
    <form
      aria-label={t.features}
      onSubmit={(event) => {
        event.preventDefault();
        save({ features: mine });
      }}
    >
      <Stack>
        <Switch
          label={t.accessControl}
          description={t.accessControlExplained}
          checked={mine.access_control}
          onChange={({ currentTarget: { checked } }) => setMine({ ...mine, access_control: checked })}
        />
        <Switch
          label={t.review}
          description={t.reviewExplained}
          checked={mine.review}
          onChange={({ currentTarget: { checked } }) => setMine({ ...mine, review: checked })}
        />
        <ChangeFault fault={fault} />
        {conflict !== undefined && (
          <ConflictChoice
            mine={wordsOf(conflict.mine.features)}
            theirs={wordsOf(conflict.theirs.data.features)}
            isPending={isPending}
            onKeep={keepMine}
            onTake={takeTheirs}
          />
        )}
        {isSaved && isUnchanged && (
          <Alert color="green" role="status">
            {texts.editing.saved}
          </Alert>
        )}
        <Warnings warnings={warnings} />
        <Group>
          <Button type="submit" loading={isPending} disabled={conflict !== undefined || isUnchanged}>
            {texts.editing.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Values by the labels of their fields. */
function wordsOf({ access_control: control, review }: Partial<Features>) {
  return { [t.accessControl]: wordOf(control === true), [t.review]: wordOf(review === true) };
}
