import type { Language } from './language';
import { postgresql } from './postgresql/postgresql';
import { plainText } from './text/plain';

/** The languages that this gateway knows. */
export const languages: Language[] = [postgresql, plainText];

/** What is in no language that is known is read as text. */
export function languageNamed(name: string): Language {
  return languages.find((language) => language.name === name) ?? plainText;
}

/** Loads what the languages need in this thread. */
export async function loadLanguages(): Promise<void> {
  for (const language of languages) await language.load?.();
}
