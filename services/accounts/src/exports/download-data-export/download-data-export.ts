import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { routes } from '@lendtools/contracts';
import { handle, setFileHeaders } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { dataExportNotFound } from '../../domain/errors.ts';
import { isDownloadable, readParts } from '../../store/data-export-repository.ts';

/** Streams the file. The link in the email names it, but only its user gets it, after a fresh login. */
export const downloadDataExport = ({ pool }: Deps) =>
  handle(routes.dataExport, async ({ params: { userId, id }, response }) => {
    if (!(await isDownloadable(pool, id, userId))) throw dataExportNotFound();
    setFileHeaders(response, { name: 'lendtools-data.zip', type: 'application/zip' });
    await pipeline(Readable.from(readParts(pool, id)), response).catch((error) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
    return undefined;
  });
