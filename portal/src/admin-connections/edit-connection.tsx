import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Kind, useKindList, useKind } from '../api/choices';
import { requests } from '../api/client';
import { type Tagged, useSaving, useTagged } from '../api/tagged';
import { Deletion } from '../parts/deletion';
import { useDraft } from '../parts/draft';
import { EditForm } from '../parts/edit-form';
import { connectionLabels } from '../parts/field-labels';
import { Loaded } from '../parts/loaded';
import { Managed } from '../parts/managed';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { valueText } from '../parts/side-by-side';
import { Time } from '../parts/time';
import { Warnings } from '../parts/warnings';
import { texts } from '../texts';
import {
  type Checked,
  type Connection,
  type ConnectionBody,
  type Draft,
  type PatchBody,
  changesOf,
  draftOf,
  hasSecret,
  replacementOf,
  withoutSecret,
} from './connection';
import { ConnectionInputs } from './connection-inputs';
import { policyAsGiven } from './policy-inputs';
import { Reach } from './reach';

const t = texts.adminConnections;
const route = getRouteApi('/shell/admins/admin-connections/$name');

/** The page of one connection: its state, form, test and deletion. */
export function EditConnection() {
  const { name } = route.useParams();
  const query = useTagged(['connections', name], () => read(name));
  const kinds = useKindList();
  return (
    <Page title={name}>
      <Loaded query={query}>
        {(connection) => (
          <Loaded query={kinds}>
            {({ data }) => {
              const kind = data.find(({ subtype }) => subtype === connection.data.subtype);
              return kind && <Editor key={connection.data.id} kind={kind} read={connection} />;
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

const read = (name: string) =>
  requests.GET('/connections/{nameOrID}', { params: { path: { nameOrID: name } } });

/** PATCH keeps all omitted fields. Removing a secret field needs PUT. */
type Body =
  | { readonly method: 'patch'; readonly fields: PatchBody }
  | { readonly method: 'put'; readonly fields: ConnectionBody };

function bodyFor(base: Connection, draft: Draft): Body {
  return draft.removed.length === 0
    ? { method: 'patch', fields: changesOf(base, asGiven(draft)) }
    : { method: 'put', fields: replacementOf(base, asGiven(draft)) };
}

function Editor({ kind, read: first }: { readonly kind: Kind; readonly read: Tagged<Connection> }) {
  const { base, draft, change, undo, send, onSaved, onTaken } = useDraft(
    first,
    draftOf,
    versionOf,
    withoutSecret,
  );
  const navigate = useNavigate();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const connection = base.data;
  const saving = useSaving<Connection, Checked, Body>({
    base,
    read: () => read(connection.id),
    write: (body, etag) => {
      const params = { path: { nameOrID: connection.id }, header: { 'If-Match': etag } };
      return body.method === 'patch'
        ? requests.PATCH('/connections/{nameOrID}', { params, body: body.fields })
        : requests.PUT('/connections/{nameOrID}', { params, body: body.fields });
    },
    onSaved: (saved) => {
      onSaved(saved);
      setWarnings(saved.data.warnings);
    },
    onTaken,
  });
  const body = bodyFor(connection, draft);
  const isChanged = Object.keys(body.fields).length > 0;
  return (
    <Stack>
      <State connection={connection} />
      <Reach name={connection.name} />
      <Warnings warnings={warnings} />
      <EditForm
        saving={saving}
        isChanged={isChanged}
        hasSecret={hasSecret(draft)}
        mine={({ fields }) => fields}
        theirs={(theirs) => theirs}
        labels={connectionLabels}
        shownValue={shownValue}
        onSave={() => {
          send();
          saving.save(body);
        }}
        onUndo={undo}
      >
        <ConnectionInputs
          kind={kind}
          draft={draft}
          stored={Object.keys(connection.secret)}
          onChange={change}
        />
      </EditForm>
      <Group>
        <Deletion
          of={connection.name}
          explained={t.deletion}
          seen={base}
          read={() => read(connection.id)}
          remove={(etag) =>
            requests.DELETE('/connections/{nameOrID}', {
              params: { path: { nameOrID: connection.id }, header: { 'If-Match': etag } },
            })
          }
          shown={fieldsShown}
          labels={connectionLabels}
          onDeleted={() => void navigate({ to: '/admin-connections', ignoreBlocker: true })}
        />
      </Group>
    </Stack>
  );
}

/** Returns the update time as the version, because the form's fields do not show a changed secret. */
const versionOf = ({ updated_at: at }: Connection): string => at;

const asGiven = (draft: Draft): Draft =>
  draft.mcp_policy === null ? draft : { ...draft, mcp_policy: policyAsGiven(draft.mcp_policy) };

/** Fields of a connection that the form shows, and the names of the stored secret fields. */
function fieldsShown(connection: Connection): object {
  const { secret: _typed, removed: _removed, ...fields } = draftOf(connection);
  return { ...fields, secret: Object.keys(connection.secret).join('\n') };
}

/** Formats a field value. Never shows values of a secret, not even typed ones. */
function shownValue(field: string, value: unknown): string {
  if (field !== 'secret') return valueText(field, value);
  const values = Object.entries(value ?? {});
  return values.map(([name, given]) => (given === '' ? name : t.secret.given(name))).join('\n');
}

function State({ connection }: { readonly connection: Connection }) {
  const { subtype, status, status_at: at, mcp_auth: auth, catalog, managed_by: manager } = connection;
  const kind = useKind(subtype);
  return (
    <Group gap="xs">
      <Badge variant="outline">{kind?.title ?? subtype}</Badge>
      <Badge variant="outline" color={status === 'online' ? 'green' : status === 'offline' ? 'red' : 'gray'}>
        {texts.myConnections.state[status]}
      </Badge>
      {at !== null && <Time at={at} />}
      {auth && <Badge variant="outline">{t.auth[auth.status]}</Badge>}
      {catalog !== null && (
        <Text size="sm">
          {t.catalog.from} <Said text={catalog} />
        </Text>
      )}
      <Managed by={manager} />
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => <Link to="/why" search={{ connection: connection.name }} {...props} />}
      >
        {texts.why.title}
      </Button>
      {kind?.has_mcp_policy && (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/connections/$name/tools" params={{ name: connection.name }} {...props} />
          )}
        >
          {t.tools}
        </Button>
      )}
    </Group>
  );
}
