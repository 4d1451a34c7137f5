import { Button, Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { useHeld } from '../parts/held';
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
type Start = 'postgres' | 'mcpproxy' | 'catalog';
const FIRST = newDraft('postgres');
const STARTS: readonly Start[] = ['postgres', 'mcpproxy', 'catalog'];

/** A form for a new connection, of a kind or from the catalog. */
export function NewConnection() {
  const [start, setStart] = useHeld<Start>('start', () => 'postgres');
  const [entry, setEntry] = useHeld<CatalogEntry | undefined>('entry', () => undefined);
  const [made, setMade] = useState<Checked>();
  const [draft, setDraft] = useHeld<Draft>('draft', () => FIRST, withoutSecret);
  useUnsaved(draft !== FIRST && made === undefined, hasSecret(draft));
  if (made !== undefined) return <Made connection={made} />;
  const begin = (next: Start): void => {
    const subtype = next === 'postgres' ? 'postgres' : 'mcpproxy';
    setStart(next);
    setEntry(undefined);
    // Typed values stay, except those that the other kind does not have.
    if (subtype !== draft.subtype)
      setDraft({ ...draft, subtype, secret: {}, mcp_policy: newDraft(subtype).mcp_policy });
  };
  const pick = (picked: CatalogEntry): void => {
    setEntry(picked);
    const header = picked.auth === 'static' ? picked.header.split(':')[0] : undefined;
    const secret = header === undefined || header === '' ? {} : { [headerName(header)]: '' };
    setDraft({
      ...draft,
      name: draft.name || picked.name,
      description: draft.description || picked.description,
      secret,
    });
  };
  return (
    <Page title={t.new}>
      <Radio.Group
        label={t.kind}
        value={start}
        onChange={(value) => begin(STARTS.find((one) => one === value) ?? 'postgres')}
      >
        <Group mt="xs">
          {STARTS.map((value) => (
            <Radio key={value} value={value} label={t.starts[value]} />
          ))}
        </Group>
      </Radio.Group>
      {start === 'catalog' && entry === undefined ? (
        <CatalogPicker onPick={pick} />
      ) : (
        <ConnectionForm
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
  readonly draft: Draft;
  readonly entry?: CatalogEntry;
  readonly onChange: (changes: Partial<Draft>) => void;
  readonly onMade: (connection: Checked) => void;
  /** Leads back to the catalog. */
  readonly onOther?: () => void;
}

function ConnectionForm({ draft, entry, onChange, onMade, onOther }: FormProps) {
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
        draft={draft}
        stored={[]}
        onChange={onChange}
        {...(entry === undefined ? {} : { auth: entry.auth })}
      />
    </NewForm>
  );
}

/** The result of the form: the warnings of the gateway, and a test. */
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
