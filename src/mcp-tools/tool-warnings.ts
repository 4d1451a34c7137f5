import { visibleName } from '../kernel/names';

/** What people should know of a name before they accept its tool: names come from servers, and are compared exactly. */
export function nameWarnings(name: string, names: readonly string[]): string[] {
  const others = names.filter((other) => other !== name && looks(other) === looks(name));
  return [
    ...(visibleName(name) === name ? [] : ['the name has invisible characters or another Unicode form']),
    ...(/\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)
      ? ['the name mixes letters of several scripts, which may look alike']
      : []),
    ...(others.length > 0 ? [`the name looks like that of another tool of this connection`] : []),
  ];
}

/** What is left of a name for somebody who reads quickly. */
function looks(name: string): string {
  return visibleName(name)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[-_ ./]/g, '_');
}
