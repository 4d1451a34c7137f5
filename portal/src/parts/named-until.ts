import type { ChangeEvent } from 'react';
import { useHeld } from './held';

interface Named {
  readonly name: string;
  readonly expires_at?: string | null | undefined;
}

const timeIn = (given: string): string | null => (given === '' ? null : given);

/** Fields of a form for a key or a token: its name, and the time when it expires. */
export function useNamedUntil() {
  const [name, setName] = useHeld('name', () => '');
  const [expires, setExpires] = useHeld('expires', () => '');
  return {
    body: { name, expires_at: timeIn(expires) },
    name: {
      value: name,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => setName(currentTarget.value),
    },
    expires: { value: expires, onChange: setExpires, step: 60 },
    /** Clears a field only if it still has the sent text, because the user may type during the request. */
    clear: (sent: Named): void => {
      setName((now) => (now === sent.name ? '' : now));
      setExpires((now) => (timeIn(now) === sent.expires_at ? '' : now));
    },
  };
}
