import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** The headers of a private file that browsers save instead of showing. @param file.name plain ASCII */
const setFileHeaders = (
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

/** Streams a private file. Stops reading if the client closes the connection. */
export const streamFile = async (
  response: Response,
  { body, ...file }: { name: string; type: string; body: Readable },
): Promise<void> => {
  setFileHeaders(response, file);
  await pipeline(body, response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
};
