import { createRoute } from '@tanstack/react-router';
import { ForActors, ForAdmins, ForReaders } from './for-roles';
import { shell } from './root-routes';

/** Above the pages that only admins reach. */
export const admins = createRoute({ getParentRoute: () => shell, id: 'admins', component: ForAdmins });
/** Above the pages of those who act. */
export const actors = createRoute({ getParentRoute: () => shell, id: 'actors', component: ForActors });
/** Above the pages that auditors and admins reach. */
export const readers = createRoute({ getParentRoute: () => shell, id: 'readers', component: ForReaders });
