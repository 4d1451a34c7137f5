/** Settings that change how later text is read, with the usual values under which this parser reads it correctly. */
const READING_SETTINGS: Readonly<Record<string, ReadonlySet<string>>> = {
  standard_conforming_strings: new Set(['on', 'true', 'yes', '1']),
  backslash_quote: new Set(['safe_encoding', 'off', 'false', 'no', '0']),
  client_encoding: new Set(['utf8', 'utf-8', 'unicode']),
};

/** Settings whose value is a program, a library or code that runs later: `archive_command`, `plperl.on_init`, … */
const CODE_SETTINGS =
  /_command$|_preload_libraries$|^archive_library$|_validator_libraries$|^dynamic_library_path$|^extension_control_path$|^jit_provider$|\.on_\w*init$|\.start_proc$/;

export const UNKNOWN_SETTING = 'sets a setting that is named while it runs';

/**
 * The reason when setting `name` hides later effects; otherwise undefined. `value` is the constant; undefined
 * for anything else (DEFAULT, FROM CURRENT, several values, an expression).
 */
export function settingHides(name: string, value: string | undefined): string | undefined {
  const setting = name.toLowerCase();
  const harmless = Object.hasOwn(READING_SETTINGS, setting) ? READING_SETTINGS[setting] : undefined;
  if (harmless !== undefined) {
    return value !== undefined && harmless.has(value.toLowerCase())
      ? undefined
      : 'changes how later text is read';
  }
  return CODE_SETTINGS.test(setting) ? 'sets code that runs later' : undefined;
}
