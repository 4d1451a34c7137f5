import {
  Button,
  Fieldset,
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useState } from 'react';
import type { Kind } from '../api/choices';
import { texts } from '../texts';
import type { Draft } from './connection';
import { type SecretField, deciding, headerName, secretFields } from './secret-form';

const t = texts.adminConnections.secret;

interface Props {
  readonly kind: Kind;
  readonly draft: Draft;
  /** Names of the secret fields that have a stored value. The values are never shown. */
  readonly stored: readonly string[];
  /** Authentication to the MCP server that the catalog recommends; only for a new connection. */
  readonly auth?: string;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/**
 * Inputs for the secret of a connection, which cannot be read. An untouched field keeps its stored value. An
 * optional value can be removed.
 */
export function SecretInputs({ kind, draft, stored, auth = '', onChange }: Props) {
  const { secret, removed } = draft;
  const set = (name: string, value: string): void => onChange({ secret: { ...secret, [name]: value } });
  const remove = (name: string, isRemoved: boolean): void => {
    const { [name]: _typed, ...others } = secret;
    onChange({
      secret: others,
      removed: isRemoved ? [...removed, name] : removed.filter((one) => one !== name),
    });
  };
  const names = [...new Set([...stored, ...Object.keys(secret)])];
  const prefix = kind.secret_prefix;
  return (
    <Fieldset legend={t.title}>
      <Stack>
        <Text size="sm">{stored.length > 0 ? t.stored : t.explained}</Text>
        {deciding(kind)
          .filter((name) => stored.includes(name) && !secret[name])
          .map((name) => (
            <Text key={name} size="sm">
              {t.storedChoice(name)}
            </Text>
          ))}
        {secretFields(kind, { ...secret, MCP_AUTH: secret['MCP_AUTH'] || auth }, names).map((field) => {
          const isStored = stored.includes(field.name);
          const isRemoved = removed.includes(field.name);
          return (
            <Group key={field.name} align="end">
              <ValueInput
                field={field}
                isStored={isStored}
                isFilled={auth !== ''}
                isRemoved={isRemoved}
                value={secret[field.name] ?? ''}
                onChange={(value) => set(field.name, value)}
              />
              {isStored && !field.required && (
                <Button
                  variant="default"
                  onClick={() => remove(field.name, !isRemoved)}
                  aria-label={`${isRemoved ? t.keep : t.remove}: ${field.name}`}
                >
                  {isRemoved ? t.keep : t.remove}
                </Button>
              )}
            </Group>
          );
        })}
        {prefix !== null && <NewHeader onAdd={(header) => set(headerName(prefix, header), '')} />}
      </Stack>
    </Fieldset>
  );
}

interface ValueProps {
  readonly field: SecretField;
  readonly isStored: boolean;
  /** Whether the catalog provides a value for this field if it stays empty. */
  readonly isFilled: boolean;
  readonly isRemoved: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueInput({
  field: { name, label, description, confidential, multiline, choices, placeholder: example, required },
  isStored,
  isFilled,
  isRemoved,
  value,
  onChange,
}: ValueProps) {
  const common = {
    label: name,
    description: isRemoved ? t.removed : [label, description].filter((text) => text !== '').join('. '),
    required: required && !isStored && !isFilled,
    disabled: isRemoved,
    value,
    flex: 1,
    miw: 220,
  } as const;
  const placeholder = isStored ? t.kept : (example ?? '');
  const typed = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  if (choices.length > 0)
    return (
      <NativeSelect
        {...common}
        onChange={typed}
        data={[{ value: '', label: isStored ? t.kept : isFilled ? t.ofCatalog : t.unset }, ...choices]}
      />
    );
  if (confidential)
    return (
      <PasswordInput
        {...common}
        placeholder={placeholder}
        onChange={typed}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': `${t.show}: ${name}`, tabIndex: 0 }}
      />
    );
  if (multiline)
    return (
      <Textarea {...common} placeholder={placeholder} onChange={typed} autosize minRows={2} maxRows={8} />
    );
  return <TextInput {...common} placeholder={placeholder} onChange={typed} autoComplete="off" />;
}

function NewHeader({ onAdd }: { readonly onAdd: (header: string) => void }) {
  const [header, setHeader] = useState('');
  const add = (): void => {
    if (header.trim() === '') return;
    onAdd(header);
    setHeader('');
  };
  return (
    <Group align="end">
      <TextInput
        label={t.header}
        description={t.headerExplained}
        placeholder="Authorization"
        value={header}
        onChange={({ currentTarget }) => setHeader(currentTarget.value)}
        onKeyDown={(event) => {
          // Enter adds the header and does not submit the surrounding form.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
        flex={1}
        miw={220}
      />
      <Button variant="default" disabled={header.trim() === ''} onClick={add}>
        {t.add}
      </Button>
    </Group>
  );
}
