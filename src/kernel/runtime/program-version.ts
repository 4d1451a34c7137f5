/** The version of this program, as package.json has it. */
export const PROGRAM_VERSION = '0.1.0';
