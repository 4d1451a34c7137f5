import { Alert, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { isAbort, isUnclear } from '../api/api-fault';
import { type Kind, useKinds } from '../api/choices';
import { api } from '../api/client';
import type { components } from '../api/schema';
import { ScriptAccess } from '../my-connections/access';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { kept } from '../parts/kept';
import { LazyPart } from '../parts/lazy-part';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { patiently } from '../parts/patiently';
import { Said } from '../parts/said';
import { useUnsaved } from '../parts/unsaved';
import { usePerson } from '../shell/person';
import { texts } from '../texts';
import { CancelRun } from './cancel-run';
import { type Script, isBlank, isKept, tooLong } from './script';
import { ScriptResult } from './script-result';
import { Unanswered } from './unanswered';

const SqlEditor = lazy(patiently(() => import('./sql-editor')));
const t = texts.run;
const route = getRouteApi('/shell/actors/run');

/** Page that runs a script on a connection and shows the result. Auditors cannot run scripts. */
export function Run() {
  const key = `script of ${usePerson().id}`;
  const { connection } = route.useSearch();
  const navigate = route.useNavigate();
  const [initial] = useState(() => kept.read(key));
  const [script, setScript] = useState<Script>(initial);
  const [unsent, setUnsent] = useState<string>();
  const [reason, setReason] = useHeld('reason', () => '');
  const [correlation, setCorrelation] = useState('');
  const [sent, setSent] = useState(() => new AbortController());
  const connections = api.useQuery('get', '/connections', {
    params: { query: { page_size: 1_000 } },
  });
  const kinds = useKinds();
  const scripted = new Set<string>(
    kinds.flatMap(({ subtype, runs_scripts: runs }) => (runs ? [subtype] : [])),
  );
  const target = connections.data?.data.find(({ name }) => name === connection);
  const kind = kinds.find(({ subtype }) => subtype === target?.subtype);
  const words = texts.kinds.scriptsIn(kind?.language ?? onlyLanguage(kinds, connections.data?.data));
  const isBrowsed =
    kind?.lists_tables === true &&
    target?.access_schema === 'enabled' &&
    target.access_mode_exec === 'enabled';
  const run = api.useMutation('post', '/sessions');
  const check = api.useMutation('post', '/connections/{nameOrID}/script-check');
  useUnsaved(!isKept(script), true);
  /** Sends the script, unless it is longer than the gateway accepts. */
  const sending = (send: (connection: string, script: string) => void) => (): void => {
    if (connection === undefined || isBlank(script)) return;
    const refusal = tooLong(script.length);
    setUnsent(refusal);
    if (refusal === undefined) send(connection, script.toString());
  };
  const start = sending((connection, script) => {
    if (run.isPending) return;
    // With the correlation id, the session can be found before the response contains its id.
    const correlation_id = crypto.randomUUID();
    setCorrelation(correlation_id);
    const sent = new AbortController();
    setSent(sent);
    run.mutate({
      body: { connection, script, correlation_id, reason: reason === '' ? null : reason },
      signal: sent.signal,
    });
  });
  const look = sending((connection, script) =>
    check.mutate({ params: { path: { nameOrID: connection } }, body: { script } }),
  );
  const keep = (script: Script): void => {
    setScript(script);
    setUnsent(undefined);
    check.reset();
    // The stored text survives a reload of the page.
    if (isKept(script)) kept.write(key, script.toString());
    else kept.remove(key);
  };
  const isCancelled = isAbort(run.error);
  return (
    <Page title={words.run}>
      <Loaded query={connections}>
        {({ data }) => (
          <Select
            label={t.connection}
            searchable
            value={connection ?? null}
            onChange={(name) => void navigate({ search: name === null ? {} : { connection: name } })}
            data={data.flatMap(({ name, subtype }) => (scripted.has(subtype) ? [name] : []))}
            maw={360}
          />
        )}
      </Loaded>
      {target !== undefined && <ScriptAccess name={target.name} />}
      <LazyPart>
        <SqlEditor
          initial={initial}
          onChange={keep}
          onRun={start}
          label={words.script}
          isSql={kind === undefined || kind.language === 'postgresql'}
          connection={isBrowsed ? target?.name : undefined}
        />
      </LazyPart>
      <Group align="end">
        <TextInput
          label={t.reason}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          flex={1}
          miw={200}
        />
        <Button
          variant="default"
          onClick={look}
          loading={check.isPending}
          disabled={connection === undefined || isBlank(script)}
        >
          {t.check}
        </Button>
        <Button onClick={start} loading={run.isPending} disabled={connection === undefined}>
          {t.run}
        </Button>
        {run.isPending && (
          <CancelRun key={correlation} correlation={correlation} onUnknown={() => sent.abort()} />
        )}
      </Group>
      <ChangeFault fault={unsent} />
      <ChangeFault fault={check.error} />
      {check.data !== undefined && <Checked of={check.data} />}
      {!isCancelled && <ChangeFault fault={run.error} />}
      {(isCancelled || isUnclear(run.error)) && (
        <Unanswered key={correlation} correlation={correlation} isCancelled={isCancelled} />
      )}
      {run.data !== undefined && <ScriptResult of={run.data} />}
    </Page>
  );
}

/** The language of all scripts that the connections take; undefined if there are several languages. */
function onlyLanguage(
  kinds: readonly Kind[],
  connections: readonly Pick<components['schemas']['ConnectionView'], 'subtype'>[] = [],
): string | undefined {
  const subtypes = new Set<string>(connections.map(({ subtype }) => subtype));
  const languages = new Set(
    kinds.flatMap(({ subtype, language, runs_scripts: runs }) =>
      runs && subtypes.has(subtype) ? [language] : [],
    ),
  );
  const [first] = languages;
  return languages.size === 1 ? first : undefined;
}

/** The verdict and findings of the connection's guardrails. */
function Checked({ of: { verdict, findings } }: { readonly of: components['schemas']['ScriptCheckView'] }) {
  return (
    <Alert color={verdict === 'pass' ? 'green' : 'red'} title={t.verdicts[verdict]} role="status">
      {findings.map(({ message, rule_name: rule, entry }, at) => (
        <Text key={at}>
          <Said text={rule === undefined || entry === undefined ? message : t.entry(rule, entry, message)} />
        </Text>
      ))}
    </Alert>
  );
}
