import path from 'node:path';
import express, { type RequestHandler } from 'express';

/** Compressed copies that the build writes beside a file, smallest first. */
const packings = [
  { encoding: 'br', end: '.br' },
  { encoding: 'gzip', end: '.gz' },
] as const;

type StaticOptions = NonNullable<Parameters<typeof express.static>[1]>;

/** Serves compressed copies, because compressing per request is slower and less effective. Calls `next()` for files without a copy. */
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
      const originalUrl = request.url;
      const [pathname = ''] = originalUrl.split('?');
      if (!/\.(js|css|svg)$/.test(pathname)) return next();
      response.vary('Accept-Encoding');
      if (!request.acceptsEncodings(encoding)) return next();
      request.url = pathname + end;
      serve(request, response, (error) => {
        request.url = originalUrl;
        next(error);
      });
    };
  });
