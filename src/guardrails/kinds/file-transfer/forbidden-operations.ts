import type { Finding } from '../../../gate/ports/guardrails';
import type { ParsedFileOperation, PathFact } from '../../../languages/file-operation/facts';
import { matchesPattern, matchesPath } from '../../../languages/text/wildcards';
import type { FileCondition } from './file-condition';

/**
 * Maximum length of a path that is compared with patterns, in UTF-16 code units. A longer one meets each of
 * them, because the work grows with its length.
 */
const MAX_PATH = 1_024;

/** Returns the operation if the condition forbids it. What is no known operation is forbidden. */
export function forbiddenOperations(
  condition: FileCondition,
  length: number,
  parsed: ParsedFileOperation,
): Finding[] {
  if (parsed.kind === 'unparseable') return [{ start: 0, end: length, text: parsed.reason }];
  const { start, end, paths, bytes } = parsed;
  if (condition.bytesOver !== undefined && bytes <= condition.bytesOver) return [];
  return paths.flatMap((fact) => {
    const effect = fact.effects.find((each) => condition.effects.includes(each));
    if (effect === undefined || !meetsPath(condition, fact)) return [];
    return [{ start, end, text: `${effect} ${fact.path}` }];
  });
}

function meetsPath({ paths, endings }: FileCondition, { path, takesFolder }: PathFact): boolean {
  const meets = takesFolder ? matchesPath : matchesPattern;
  const isLong = path.length > MAX_PATH;
  if (paths.length > 0 && !isLong && !paths.some((pattern) => meets(pattern, path))) return false;
  return endings.length === 0 || endings.some((each) => path.toLowerCase().endsWith(each));
}
