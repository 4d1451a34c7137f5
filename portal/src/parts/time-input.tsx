import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { timeTyped, typedTime } from './local-time';

interface Props {
  readonly label: string;
  /** As the API has it; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A time, typed in the reader's zone. */
export function TimeInput({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(() => typedTime(value));
  const given = typedTime(value);
  // The filters were cleared, or another address was opened.
  if (timeTyped(typed) !== timeTyped(given)) setTyped(given);
  return (
    <TextInput
      label={label}
      type="datetime-local"
      step={1}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(timeTyped(currentTarget.value) ?? '');
      }}
    />
  );
}
