// npm run picture -- portal | dashboard: makes the pictures of the documentation.
const SCRIPTS = { portal: './portal-pictures.mjs', dashboard: './dashboard-picture.mjs' };
const script = SCRIPTS[process.argv[2]];
if (script === undefined) throw new Error('which one? npm run picture -- portal | dashboard');
await import(script);
