import path from 'node:path';
import express, { type RequestHandler } from 'express';

/** What the build puts beside a file, smallest first. */
const packings = [
  { encoding: 'br', end: '.br' },
  { encoding: 'gzip', end: '.gz' },
] as const;

type StaticOptions = NonNullable<Parameters<typeof express.static>[1]>;

/**
 * Serves a folder's scripts and styles as the build packed them, where the browser takes that; packing them for each
 * request would take more time and make them larger. What has no packed copy is left to who comes next.
 */
export const packedFiles = (folder: string, options: StaticOptions): RequestHandler[] =>
  packings.map(({ encoding, end }) => {
    const serve = express.static(folder, {
      ...options,
      index: false,
      redirect: false,
      setHeaders: (response, file) => {
        response.setHeader('Content-Encoding', encoding);
        response.type(path.extname(file.slice(0, -end.length)));
      },
    });
    return (request, response, next) => {
      const asked = request.url;
      const [pathname = ''] = asked.split('?');
      if (!/\.(js|css|svg)$/.test(pathname)) return next();
      response.vary('Accept-Encoding');
      if (!request.acceptsEncodings(encoding)) return next();
      request.url = pathname + end;
      serve(request, response, (error) => {
        request.url = asked;
        next(error);
      });
    };
  });
