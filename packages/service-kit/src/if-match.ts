import type { Request } from 'express';
import { editedElsewhere } from './errors.ts';

/**
 * Rejects an edit that is based on another revision than the stored one. Without `If-Match` every edit passes,
 * because documented clients don't send it.
 * @throws AppError 412 EDITED_ELSEWHERE
 */
export const checkRevision = (request: Request, revision: number, what: string): void => {
  const header = request.get('if-match');
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(`"${revision}"`)) throw editedElsewhere(what);
};
