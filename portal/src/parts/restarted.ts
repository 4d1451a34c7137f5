import { useState } from 'react';

/**
 * A state that begins with a value, and begins anew when that value changes: a form that follows its address
 * without losing the focus.
 */
export function useRestarted<T>(initial: T): readonly [T, (value: T) => void] {
  const key = JSON.stringify(initial);
  const [state, setState] = useState({ key, value: initial });
  return [state.key === key ? state.value : initial, (value) => setState({ key, value })];
}
