import { fileOperation } from './file-operation';
import type { Language } from './language';
import { postgresql } from './postgresql';
import { plainText } from './plain';
import { shell } from './shell';
import { toolCall } from './tool-call';

/** All registered languages. */
export const languages: Language[] = [postgresql, shell, fileOperation, toolCall, plainText];

/** Returns the language with this name; plain text for an unknown name. */
export function languageNamed(name: string): Language {
  return languages.find((language) => language.name === name) ?? plainText;
}

/** Loads all languages in this thread. */
export async function loadLanguages(): Promise<void> {
  for (const language of languages) await language.load?.();
}
