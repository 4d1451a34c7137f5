import { readJson } from '../../kernel/json/json';
import { toolStateOf } from './stored-tool-registry';
import { differencesOf } from './tool-differences';
import type { McpToolView } from './tool.dto';
import type { McpTool } from './tool.entity';

/** Maximum length of a text in a list, in UTF-16 code units. */
const MAX_TEXT = 1_000;

/** Returns the view of a tool without its warnings. An accepted tool has no differences. */
export async function toolView(tool: McpTool): Promise<Omit<McpToolView, 'warnings'>> {
  const { status } = toolStateOf({ fingerprint: tool.fingerprint, accepted: tool.acceptedFingerprint });
  const differences =
    status === 'accepted'
      ? []
      : differencesOf(
          tool.accepted === null ? undefined : await readJson(Buffer.from(tool.accepted)),
          await readJson(Buffer.from(tool.listed)),
        );
  return {
    id: tool.id,
    name: tool.name,
    status,
    fingerprint: tool.fingerprint,
    accepted_fingerprint: tool.acceptedFingerprint,
    accepted_at: tool.acceptedAt,
    accepted_by: tool.acceptedBy,
    first_listed_at: tool.firstListedAt,
    changed_at: tool.changedAt,
    differences,
  };
}

/** Shortens the texts of a view for lists, because a list can have a thousand tools of 64 KiB each. */
export function cutView(view: McpToolView): McpToolView {
  const differences = view.differences.map(({ path, before, after }) => ({
    path: cut(path),
    before: before === null ? null : cut(before),
    after: after === null ? null : cut(after),
  }));
  return { ...view, differences };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}…`;
}
