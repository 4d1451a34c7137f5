import { Button, Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Kind, useKindList } from '../api/choices';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { useHeld } from '../parts/held';
import { Loaded } from '../parts/loaded';
import { NewForm } from '../parts/new-form';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { useUnsaved } from '../parts/unsaved';
import { Warnings } from '../parts/warnings';
import { texts } from '../texts';
import { CatalogFacts, CatalogPicker } from './catalog-picker';
import {
  type CatalogEntry,
  type Checked,
  type Draft,
  bodyOf,
  hasSecret,
  newDraft,
  withoutSecret,
} from './connection';
import { ConnectionInputs } from './connection-inputs';
import { policyAsGiven } from './policy-inputs';
import { Reach } from './reach';
import { headerName } from './secret-form';

const t = texts.adminConnections;
/** Value of the radio button for the catalog. The other buttons have subtypes as values. */
const CATALOG = 'catalog';

/** A form for a new connection: of a chosen kind, or of a server from the catalog. */
export function NewConnection() {
  const kinds = useKindList();
  return (
    <Loaded query={kinds}>
      {({ data }) => {
        const [first] = data;
        return first && <NewOf kinds={data} first={first} />;
      }}
    </Loaded>
  );
}

interface Kinds {
  readonly kinds: readonly Kind[];
  readonly first: Kind;
}

function NewOf({ kinds, first }: Kinds) {
  const [untouched] = useState(() => newDraft(first));
  const [start, setStart] = useHeld<string>('start', () => first.subtype);
  const [entry, setEntry] = useHeld<CatalogEntry | undefined>('entry', () => undefined);
  const [made, setMade] = useState<Checked>();
  const [draft, setDraft] = useHeld<Draft>('draft', () => untouched, withoutSecret);
  useUnsaved(draft !== untouched && made === undefined, hasSecret(draft));
  if (made !== undefined) return <Made connection={made} />;
  const kind = kinds.find(({ subtype }) => subtype === draft.subtype) ?? first;
  const begin = (next: string): void => {
    // All catalog entries are MCP servers, so the catalog uses the kind that has an MCP policy.
    const begun = kinds.find((one) => (next === CATALOG ? one.has_mcp_policy : one.subtype === next));
    if (begun === undefined) return;
    setStart(next);
    setEntry(undefined);
    const { type, subtype, mcp_policy } = newDraft(begun);
    // Keep what the user typed, except the secret and the MCP policy, because these depend on the kind.
    if (subtype !== draft.subtype) setDraft({ ...draft, type, subtype, secret: {}, mcp_policy });
  };
  const pick = (picked: CatalogEntry): void => {
    setEntry(picked);
    const header = picked.auth === 'static' ? picked.header.split(':')[0] : undefined;
    const secret =
      header === undefined || header === '' ? {} : { [headerName(kind.secret_prefix ?? '', header)]: '' };
    setDraft({
      ...draft,
      name: draft.name || picked.name,
      description: draft.description || picked.description,
      secret,
    });
  };
  return (
    <Page title={t.new}>
      <Radio.Group label={t.kind} value={start} onChange={begin}>
        <Group mt="xs">
          {kinds.map(({ subtype, title }) => (
            <Radio key={subtype} value={subtype} label={title} />
          ))}
          <Radio value={CATALOG} label={t.fromCatalog} />
        </Group>
      </Radio.Group>
      {start === CATALOG && entry === undefined ? (
        <CatalogPicker onPick={pick} />
      ) : (
        <ConnectionForm
          kind={kind}
          draft={draft}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
          onMade={setMade}
          {...(entry === undefined ? {} : { entry, onOther: () => setEntry(undefined) })}
        />
      )}
    </Page>
  );
}

interface FormProps {
  readonly kind: Kind;
  readonly draft: Draft;
  readonly entry?: CatalogEntry;
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly onMade: (connection: Checked) => void;
  /** Called when the user goes back to the catalog to choose another entry. */
  readonly onOther?: () => void;
}

function ConnectionForm({ kind, draft, entry, onChange, onMade, onOther }: FormProps) {
  const create = api.useMutation('post', '/connections', {
    onSuccess: (connection) => {
      onMade(connection);
      void queries.invalidateQueries();
    },
  });
  return (
    <NewForm
      action={t.create}
      isPending={create.isPending}
      fault={create.error}
      onCreate={() => {
        const policy = draft.mcp_policy === null ? null : policyAsGiven(draft.mcp_policy);
        create.mutate({ body: bodyOf({ ...draft, mcp_policy: policy }, entry?.name) });
      }}
    >
      {entry !== undefined && (
        <Paper withBorder p="sm">
          <Stack gap={4}>
            <Text fw={600}>
              <Said text={entry.name} />
            </Text>
            <CatalogFacts entry={entry} />
            <Text size="sm">{t.catalog.filled}</Text>
            <Group>
              <Button size="compact-sm" variant="default" onClick={onOther}>
                {t.catalog.other}
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
      <ConnectionInputs
        kind={kind}
        draft={draft}
        stored={[]}
        onChange={onChange}
        {...(entry === undefined ? {} : { auth: entry.auth })}
      />
    </NewForm>
  );
}

/** Shown after the connection was created: the warnings of the gateway, and a button for a test. */
function Made({ connection }: { readonly connection: Checked }) {
  const navigate = useNavigate();
  return (
    <Page title={connection.name}>
      <Text role="status">{t.made}</Text>
      <Warnings warnings={connection.warnings} />
      <Reach name={connection.name} />
      <Group>
        <Button
          variant="default"
          onClick={() => void navigate({ to: '/admin-connections/$name', params: { name: connection.name } })}
        >
          {t.openConnection}
        </Button>
      </Group>
    </Page>
  );
}
