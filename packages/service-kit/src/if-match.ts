import type { Request } from 'express';
import { editedElsewhere } from './errors.ts';

/**
 * Rejects an edit of an outdated revision with 412. An edit without `If-Match` is allowed, because documented calls do not send it.
 */
export const checkRevision = (request: Request, revision: number, what: string): void => {
  const header = request.get('if-match');
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(`"${revision}"`)) throw editedElsewhere(what);
};
