import type { Response } from 'express';

/** Sends a private file that browsers save instead of showing. @param file.name plain ASCII */
export const sendFile = (
  response: Response,
  { name, type, body }: { name: string; type: string; body: Buffer },
): void => {
  response
    .set('Cache-Control', 'private, no-store')
    .set('Content-Disposition', `attachment; filename="${name}"`)
    .type(type)
    .send(body);
};
