import { Readable } from 'node:stream';
import { routes } from '@lendtools/contracts';
import { handle, streamFile } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { dataExportNotFound } from '../../domain/errors.ts';
import { isDownloadable, readParts } from '../../store/data-export-repository.ts';

/** Streams the file. The link in the email names it, but only its user gets it, after a fresh login. */
export const downloadDataExport = ({ pool }: Deps) =>
  handle(routes.dataExport, async ({ params: { userId, id }, response }) => {
    if (!(await isDownloadable(pool, id, userId))) throw dataExportNotFound();
    const body = Readable.from(readParts(pool, id));
    await streamFile(response, { name: 'lendtools-data.zip', type: 'application/zip', body });
    return undefined;
  });
