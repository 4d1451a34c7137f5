import { readJson } from '../../kernel/json/json';
import { toolStateOf } from './stored-tool-registry';
import { differencesOf } from './tool-differences';
import type { McpToolView } from './tool.dto';
import type { McpTool } from './tool.entity';

/** UTF-16 code units of a text in a list. */
const MAX_TEXT = 1_000;

/** The tool, without warnings. The differences are left empty while it is as it was accepted. */
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

/** The view with texts cut, for lists: they have a thousand tools of 64 KiB each at most. */
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
