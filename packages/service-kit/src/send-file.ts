import type { Response } from 'express';

/** The headers of a private file that browsers save instead of showing. @param file.name plain ASCII */
export const setFileHeaders = (
  response: Response,
  { name, type }: { name: string; type: string },
): Response =>
  response
    .set('Cache-Control', 'private, no-store')
    .set('Content-Disposition', `attachment; filename="${name}"`)
    .type(type);

export const sendFile = (
  response: Response,
  { body, ...file }: { name: string; type: string; body: Buffer },
): void => {
  setFileHeaders(response, file).send(body);
};
