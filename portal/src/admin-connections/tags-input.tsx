import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { useHeld } from '../parts/held';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.adminConnections.tags;

interface Props {
  readonly tags: Readonly<Record<string, string>>;
  readonly onChange: (tags: Record<string, string>) => void;
}

/** An input for tags, which are names with values. */
export function KeyedTags({ tags, onChange }: Props) {
  const [name, setName] = useHeld('tag name', () => '');
  const [value, setValue] = useHeld('tag value', () => '');
  const add = (): void => {
    if (name.trim() === '') return;
    onChange({ ...tags, [name.trim()]: value });
    setName('');
    setValue('');
  };
  const remove = (gone: string): void =>
    onChange(Object.fromEntries(Object.entries(tags).filter(([one]) => one !== gone)));
  return (
    <Fieldset legend={t.title}>
      <Stack>
        {Object.entries(tags).map(([one, said]) => (
          <Group key={one} justify="space-between">
            <Text size="sm">
              <Said text={`${one}=${said}`} />
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => remove(one)}
              aria-label={`${t.remove}: ${one}`}
            >
              {t.remove}
            </Button>
          </Group>
        ))}
        <Group
          align="end"
          onKeyDown={(event) => {
            // Enter adds the tag and does not submit the surrounding form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        >
          <TextInput
            label={t.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            flex={1}
            miw={120}
          />
          <TextInput
            label={t.value}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            flex={1}
            miw={120}
          />
          <Button variant="default" disabled={name.trim() === ''} onClick={add}>
            {t.add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
