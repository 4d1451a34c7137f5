import { Checkbox, Select, Stack, Switch, TextInput, Textarea } from '@mantine/core';
import { LONGEST, withLimit } from '../parts/longest';
import { texts } from '../texts';
import { EVENTS, type EditableWebhook, FORMATS } from './webhook';

const t = texts.webhooks;

interface Props {
  readonly value: EditableWebhook;
  readonly onChange: (value: EditableWebhook) => void;
}

/** Fields of the forms that create and change a webhook. */
export function WebhookFields({ value, onChange }: Props) {
  return (
    <Stack>
      <TextInput
        label={t.url}
        description={t.urlExplained}
        required
        type="url"
        value={value.url}
        onChange={({ currentTarget }) => onChange({ ...value, url: currentTarget.value })}
      />
      <Checkbox.Group
        label={t.events}
        value={[...value.events]}
        onChange={(names) => onChange({ ...value, events: EVENTS.filter((event) => names.includes(event)) })}
      >
        <Stack gap="xs" mt="xs">
          {EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={event} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label={t.format}
        value={value.format}
        data={FORMATS.map((each) => ({ value: each, label: t.formats[each] }))}
        onChange={(format) => format !== null && onChange({ ...value, format })}
        allowDeselect={false}
      />
      <Textarea
        label={t.description}
        value={value.description}
        {...withLimit(value.description, LONGEST.webhookDescription)}
        autosize
        onChange={({ currentTarget }) => onChange({ ...value, description: currentTarget.value })}
      />
      <Switch
        label={t.enabled}
        description={t.enabledExplained}
        checked={value.enabled}
        onChange={({ currentTarget }) => onChange({ ...value, enabled: currentTarget.checked })}
      />
    </Stack>
  );
}
