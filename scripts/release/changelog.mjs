// The section of a release in CHANGELOG.md is the text that stood below [Unreleased].
const UNRELEASED = /\n## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|\n\[Unreleased\]:)/;

/** The text below [Unreleased], without the heading; empty where nothing was written. */
export function notesOf(changelog) {
  return (UNRELEASED.exec(changelog)?.[1] ?? '').trim();
}

/** @param date `2026-11-29` */
export function released(changelog, version, date) {
  const notes = notesOf(changelog);
  return changelog.replace(UNRELEASED, () => `\n## [Unreleased]\n\n## [${version}] - ${date}\n\n${notes}\n`);
}

export function faultsOfChangelog(changelog, version) {
  return [
    ...(notesOf(changelog) === '' ? ['CHANGELOG.md: nothing stands below [Unreleased]'] : []),
    ...(changelog.includes(`\n## [${version}]`) ? [`CHANGELOG.md: ${version} has a section already`] : []),
  ];
}
