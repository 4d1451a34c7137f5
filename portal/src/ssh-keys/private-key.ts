/**
 * Whether a text looks like a private key, so that it must neither be sent nor kept. The gateway knows more
 * forms, and refuses them.
 */
export function isPrivateKey(text: string): boolean {
  return /PRIVATE KEY|PuTTY-User-Key-File/i.test(text);
}
