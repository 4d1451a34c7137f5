import { createRoute } from '@tanstack/react-router';
import { ForActors, ForAdmins, ForReaders } from './for-roles';
import { shell } from './root-routes';

/** Parent route of the pages that only admins may open. */
export const admins = createRoute({ getParentRoute: () => shell, id: 'admins', component: ForAdmins });
/** Parent route of the pages for actions, which auditors may not open. */
export const actors = createRoute({ getParentRoute: () => shell, id: 'actors', component: ForActors });
/** Parent route of the pages that auditors and admins may open. */
export const readers = createRoute({ getParentRoute: () => shell, id: 'readers', component: ForReaders });
