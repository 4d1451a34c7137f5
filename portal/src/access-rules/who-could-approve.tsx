import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useGroupNames, useMembers } from '../api/choices';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { texts } from '../texts';
import type { Draft } from './access-rule';
import { type Approvers, approversOf } from './approvers';

const t = texts.accessRules;
const SHOWN = 5;
const COLORS = { can: 'green', 'not today': 'orange', never: 'red' } as const;

/** Shows the people who could approve under the rule in the form, and whether they are enough. */
export function WhoCouldApprove({ draft }: { readonly draft: Draft }) {
  const known = useGroupNames();
  const query = useMembers();
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {t.who}
      </Title>
      <Loaded query={query}>
        {(members) => {
          const approvers = approversOf(draft, members);
          if (approvers.groups.length === 0) return <Text>{t.nobody}</Text>;
          const unknown = [
            ...approvers.groups.map(({ name }) => name),
            ...draft.force_approval_groups,
          ].filter((name) => known.length > 0 && !known.includes(name) && !members.byGroup.has(name));
          return (
            <>
              <List>
                {approvers.groups.map(({ name, people }) => (
                  <List.Item key={name}>
                    <Said text={name} />: {t.members(people.length)}
                    {people.length > 0 && ' ('}
                    <Said text={people.slice(0, SHOWN).map(nameOf).join(', ')} />
                    {people.length > SHOWN && `, ${t.more(people.length - SHOWN)}`}
                    {people.length > 0 && ')'}
                  </List.Item>
                ))}
              </List>
              {[...new Set(unknown)].map((name) => (
                <Text key={name}>
                  <Said text={t.unknown(name)} />
                </Text>
              ))}
              {members.isWhole ? (
                <Alert color={COLORS[approvers.outcome]} role="status">
                  <Said text={sentenceOf(approvers)} />
                </Alert>
              ) : (
                <Alert color="gray" role="status">
                  {t.partly}
                </Alert>
              )}
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

const nameOf = ({
  name,
  email,
  id,
}: {
  readonly name: string;
  readonly email: string;
  readonly id: string;
}): string => name || email || id;

function sentenceOf({ outcome, needed, each, groups, people, empty }: Approvers): string {
  if (outcome === 'never') return t.never(needed, groups.length, people);
  if (outcome === 'can') return each > 0 && needed === 1 ? t.canAll(each, people) : t.can(needed, people);
  return empty.length > 0 ? t.empty(empty) : t.notToday(needed, people);
}
