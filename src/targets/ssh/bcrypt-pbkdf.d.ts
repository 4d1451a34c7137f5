/** The part of `bcrypt-pbkdf` that `bcrypt-kdf.ts` uses. The package has no types. */
declare module 'bcrypt-pbkdf' {
  const bcrypt: {
    /** Writes the bcrypt hash of two SHA-512 hashes to `out`, which has 32 bytes. */
    hash(sha2pass: Uint8Array, sha2salt: Uint8Array, out: Uint8Array): void;
  };
  export default bcrypt;
}
