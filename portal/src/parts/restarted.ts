import { useState } from 'react';

/**
 * A React state that is reset when its initial value changes, so that a form follows the URL without losing
 * the focus.
 */
export function useRestarted<T>(initial: T): readonly [T, (value: T) => void] {
  const key = JSON.stringify(initial);
  const [state, setState] = useState({ key, value: initial });
  return [state.key === key ? state.value : initial, (value) => setState({ key, value })];
}
