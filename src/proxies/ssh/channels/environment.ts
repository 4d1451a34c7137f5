/** Names of variables that a client may set: those of the language of texts, as most servers accept them. */
const ALLOWED = /^(?:LANG|LANGUAGE|LC_[A-Z]{1,20})$/;
/** Names of locales, such as `en_US.UTF-8` and `de_DE@euro`. */
const LOCALE = /^[\w.@:-]{1,100}$/;

/** Whether a client may set a variable of a program on the server. */
export function maySet(name: string, value: string): boolean {
  return ALLOWED.test(name) && LOCALE.test(value);
}
