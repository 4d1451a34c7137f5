import type { components } from '../api/schema';

export type Tool = components['schemas']['McpToolView'];

export const TOOL_STATUS_COLORS: Readonly<Record<Tool['status'], string>> = {
  changed: 'red',
  held: 'yellow',
  accepted: 'green',
};

/** States of a tool, in the order of the list: the states that need a decision come first. */
export const TOOL_STATUSES: readonly Tool['status'][] = ['changed', 'held', 'accepted'];
