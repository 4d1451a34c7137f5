import {
  Alert,
  Anchor,
  Autocomplete,
  Button,
  Group,
  List,
  NativeSelect,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Link, getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { Listing } from '../parts/listing';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { texts } from '../texts';
import type { Question } from './question';

const t = texts.why;
const route = getRouteApi('/shell/readers/why');
const SUGGESTED = 20;
type Policy = components['schemas']['EffectivePolicyView'];

/** Page that shows which rules apply to a person on a connection. Its address contains the question. */
export function Why() {
  const question = route.useSearch();
  const navigate = route.useNavigate();
  const ask = (search: Question): void => {
    // Drop cached answers, because the rules may have changed since they were read.
    void queries.invalidateQueries({ queryKey: ['get', '/connections/{nameOrID}/effective-policy'] });
    void navigate({ search });
  };
  return (
    <Page title={t.title}>
      <Text>{t.explained}</Text>
      <Ask key={JSON.stringify(question)} question={question} onAsk={ask} />
      {question.connection !== undefined && <Answer question={question} connection={question.connection} />}
    </Page>
  );
}

function Ask({
  question,
  onAsk,
}: {
  readonly question: Question;
  readonly onAsk: (question: Question) => void;
}) {
  const [user, setUser] = useState(question.user ?? '');
  const [connection, setConnection] = useState(question.connection ?? '');
  const [verb, setVerb] = useState(question.verb ?? 'exec');
  const [lookedUser] = useDebouncedValue(user, 250);
  const [lookedConnection] = useDebouncedValue(connection, 250);
  const people = api.useQuery('get', '/users', {
    params: { query: { ...(lookedUser === '' ? {} : { search: lookedUser }), page_size: SUGGESTED } },
  });
  const connections = api.useQuery('get', '/connections', {
    params: {
      query: { ...(lookedConnection === '' ? {} : { search: lookedConnection }), page_size: SUGGESTED },
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAsk({ ...(user.trim() === '' ? {} : { user: user.trim() }), connection: connection.trim(), verb });
      }}
    >
      <Group align="end">
        <Autocomplete
          label={t.person}
          description={t.personExplained}
          value={user}
          onChange={setUser}
          data={[...new Set(people.data?.data.map(({ email, id }) => email || id))]}
          // Show all options, because the gateway has already filtered them by the typed text.
          filter={({ options }) => options}
          flex={1}
          miw={220}
        />
        <Autocomplete
          label={t.connection}
          required
          value={connection}
          onChange={setConnection}
          data={connections.data?.data.map(({ name }) => name) ?? []}
          filter={({ options }) => options}
          flex={1}
          miw={200}
        />
        <NativeSelect
          label={t.verb}
          value={verb}
          onChange={({ currentTarget }) => setVerb(currentTarget.value === 'connect' ? 'connect' : 'exec')}
          data={[
            { value: 'exec', label: t.verbs.exec },
            { value: 'connect', label: t.verbs.connect },
          ]}
        />
        <Button type="submit">{t.ask}</Button>
      </Group>
    </form>
  );
}

const COLORS = { open: 'green', review: 'blue', refused: 'red' } as const;

function Answer({
  question: { user, verb },
  connection,
}: {
  readonly question: Question;
  readonly connection: string;
}) {
  const query = api.useQuery('get', '/connections/{nameOrID}/effective-policy', {
    params: {
      path: { nameOrID: connection },
      query: { ...(user === undefined ? {} : { user }), ...(verb === undefined ? {} : { verb }) },
    },
  });
  return (
    <Loaded query={query}>
      {(policy) => (
        <Stack>
          <Alert color={COLORS[policy.outcome]} role="status" title={t.outcome[policy.outcome]}>
            <Text fw={600}>
              <Said text={t.of(user ?? policy.user, policy.connection)} />
            </Text>
            <List>
              {policy.reasons.map(({ code, message }) => (
                <List.Item key={`${code} ${message}`}>
                  <Said text={message} />
                </List.Item>
              ))}
            </List>
            {policy.reviewers_groups.length > 0 && (
              <Text>
                {t.asked}: <Said text={policy.reviewers_groups.join(', ')} />
              </Text>
            )}
            {typeof policy.target_role === 'string' && (
              <Text>
                {t.role}: <Said text={policy.target_role} />
              </Text>
            )}
          </Alert>
          <Rules policy={policy} />
          <Guardrails policy={policy} />
        </Stack>
      )}
    </Loaded>
  );
}

function Rules({ policy: { access_rules: rules } }: { readonly policy: Policy }) {
  return (
    <Section title={t.rules} none={t.noRule} heads={[t.name, t.type, t.origin]} isEmpty={rules.length === 0}>
      {rules.map(({ name, access_type: type, origin }) => (
        <Table.Tr key={name}>
          <Table.Td>
            <Anchor renderRoot={(props) => <Link to="/access-rules/$name" params={{ name }} {...props} />}>
              <Said text={name} />
            </Anchor>
          </Table.Td>
          <Table.Td>{texts.accessRules.types[type]}</Table.Td>
          <Table.Td>
            <Origin origin={origin} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Section>
  );
}

function Guardrails({ policy: { guardrails } }: { readonly policy: Policy }) {
  return (
    <Section
      title={t.guardrails}
      none={t.noGuardrail}
      heads={[t.name, t.origin, t.remarks]}
      isEmpty={guardrails.length === 0}
    >
      {guardrails.map(({ id, name, origin, fault, warnings }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <Anchor renderRoot={(props) => <Link to="/guardrails/$id" params={{ id }} {...props} />}>
              <Said text={name} />
            </Anchor>
          </Table.Td>
          <Table.Td>
            <Origin origin={origin} />
          </Table.Td>
          <Table.Td>
            {fault !== null && (
              <Text size="sm" fw={600}>
                {t.fault} <Said text={fault} />
              </Text>
            )}
            {warnings.map((warning) => (
              <Text key={warning} size="sm">
                <Said text={warning} />
              </Text>
            ))}
          </Table.Td>
        </Table.Tr>
      ))}
    </Section>
  );
}

/** The reason why a rule applies to a connection. An id is not shown, because it means nothing to people. */
function Origin({ origin: { by, value } }: { readonly origin: components['schemas']['OriginView'] }) {
  return (
    <>
      {t.by[by]} {by !== 'id' && <Said text={value} />}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly none: string;
  readonly heads: readonly string[];
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

function Section({ title, none, heads, isEmpty, children }: SectionProps) {
  return (
    <section>
      <Title order={2} size="h4">
        {title}
      </Title>
      {isEmpty ? <Text>{none}</Text> : <Listing heads={heads}>{children}</Listing>}
    </section>
  );
}
