/** Rules between folders. Specs are left out: they may use the support of `test/`, which boots the whole app. */
const { options } = require('./.dependency-cruiser.cjs');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Two folders that import each other are one, and neither can be read or moved alone.',
      severity: 'error',
      scope: 'folder',
      // Framing and the binary forms of values share the reader of bytes.
      from: { pathNot: '^src/proxies/postgres/(wire|binary)$' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: `${options.exclude.path}|\\.spec\\.ts$` } },
};
