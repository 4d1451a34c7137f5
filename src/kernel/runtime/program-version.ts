/** The version of this program, the same as in package.json. */
export const PROGRAM_VERSION = '0.1.0';
