import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  Mark,
  NativeSelect,
  NumberInput,
  Stack,
  Table,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { useHeld } from '../parts/held';
import { Listing } from '../parts/listing';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { type Direction, type Draft, bodyOf } from './guardrail';
import { spansOf } from './spans';

const t = texts.guardrails.dryRun;
const COLORS = { pass: 'green', block: 'red', mask: 'orange' } as const;
const LANGUAGES = ['postgresql', 'shell', 'file_operation'] as const satisfies (keyof typeof t.languages)[];
type Language = (typeof LANGUAGES)[number];
type Hit = components['schemas']['DryRunHitView'];

/** Tests the guardrail in the form, saved or not, on a text and on past sessions. */
export function DryRun({ draft }: { readonly draft: Draft }) {
  const [text, setText] = useHeld('tried text', () => '');
  const [direction, setDirection] = useState<Direction>('input');
  const [language, setLanguage] = useState<Language>('postgresql');
  const [sessions, setSessions] = useState<number | ''>('');
  // The hits refer to the text that was tested, even after the user edits the input.
  const [tried, setTried] = useState('');
  const run = api.useMutation('post', '/guardrails/dry-run', { onMutate: ({ body }) => setTried(body.text) });
  const start = (): void => {
    const { name, ...rule } = bodyOf(draft);
    const past = sessions === '' || sessions === 0 ? {} : { sessions };
    run.mutate({ body: { rule: { name: name || 'draft', ...rule }, direction, language, text, ...past } });
  };
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {t.title}
      </Title>
      <Text>{t.explained}</Text>
      <Textarea
        label={t.text}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
      />
      <Group align="end">
        <NativeSelect
          label={t.direction}
          value={direction}
          onChange={({ currentTarget }) =>
            setDirection(currentTarget.value === 'output' ? 'output' : 'input')
          }
          data={[
            { value: 'input', label: t.directions.input },
            { value: 'output', label: t.directions.output },
          ]}
        />
        {direction === 'input' && (
          <NativeSelect
            label={t.language}
            value={language}
            onChange={({ currentTarget }) =>
              setLanguage(LANGUAGES.find((one) => one === currentTarget.value) ?? 'postgresql')
            }
            data={LANGUAGES.map((value) => ({ value, label: t.languages[value] }))}
          />
        )}
        <NumberInput
          label={t.sessions}
          value={sessions}
          onChange={(value) => setSessions(value === '' ? '' : Number(value))}
          max={1_000}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
        <Button variant="default" loading={run.isPending} onClick={start}>
          {t.run}
        </Button>
      </Group>
      <ChangeFault fault={run.error} />
      {run.data !== undefined && <Outcome outcome={run.data} text={tried} />}
    </Stack>
  );
}

interface OutcomeProps {
  readonly outcome: components['schemas']['DryRunView'];
  readonly text: string;
}

function Outcome({ outcome: { verdict, hits, replay }, text }: OutcomeProps) {
  return (
    <>
      <Alert color={COLORS[verdict]} role="status" title={t.verdicts[verdict]}>
        {replay && <Text>{t.replay(replay.blocked, replay.sessions)}</Text>}
        {replay && replay.session_ids.length > 0 && (
          <List>
            {replay.session_ids.map((id) => (
              <List.Item key={id}>
                <Anchor
                  style={{ overflowWrap: 'anywhere' }}
                  renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}
                >
                  {id}
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
      </Alert>
      {hits.length > 0 && (
        <>
          <Text fw={600}>{t.tried}</Text>
          <Text
            component="pre"
            ff="monospace"
            size="sm"
            m={0}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {spansOf(text, hits).map(({ start, said, isHit }) =>
              isHit ? (
                <Mark key={start}>
                  <Said text={said} />
                </Mark>
              ) : (
                <Said key={start} text={said} />
              ),
            )}
          </Text>
          <Hits hits={hits} />
        </>
      )}
    </>
  );
}

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  return (
    <Listing heads={[t.entry, t.matched, t.place, t.action]}>
      {hits.map(({ entry, start, end, matched, action }, at) => (
        <Table.Tr key={at}>
          <Table.Td>{texts.guardrails.entry(entry)}</Table.Td>
          <Table.Td>
            <Said text={matched} />
          </Table.Td>
          <Table.Td>{t.characters(start, end)}</Table.Td>
          <Table.Td>{t.actions[action]}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}
