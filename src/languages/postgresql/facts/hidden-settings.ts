import { isUtf8Name } from '../lexing/encoding-names';

const isOneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value.toLowerCase());

/**
 * Settings that change how the server reads later text. Each function returns whether this parser reads text
 * like the server if the setting has the given value.
 */
const READING_SETTINGS: Readonly<Record<string, (value: string) => boolean>> = {
  standard_conforming_strings: isOneOf('on', 'true', 'yes', '1'),
  backslash_quote: isOneOf('safe_encoding', 'off', 'false', 'no', '0'),
  client_encoding: isUtf8Name,
};

/**
 * Settings whose value is a program, a library or code that runs later:
 * `archive_command`, `plperl.on_init`, …
 */
const CODE_SETTINGS =
  /_command$|_preload_libraries$|^archive_library$|_validator_libraries$|^dynamic_library_path$|^extension_control_path$|^jit_provider$|\.on_\w*init$|\.start_proc$/;

export const UNKNOWN_SETTING = 'sets a setting that is named while it runs';

/**
 * Returns why setting `name` hides later effects; undefined if it does not. `value` is the constant that is
 * set; undefined for anything else (DEFAULT, FROM CURRENT, several values, an expression).
 */
export function settingHides(name: string, value: string | undefined): string | undefined {
  const setting = name.toLowerCase();
  const isHarmless = Object.hasOwn(READING_SETTINGS, setting) ? READING_SETTINGS[setting] : undefined;
  if (isHarmless !== undefined) {
    return value !== undefined && isHarmless(value) ? undefined : 'changes how later text is read';
  }
  return CODE_SETTINGS.test(setting) ? 'sets code that runs later' : undefined;
}
