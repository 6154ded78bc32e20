import path from 'node:path';
import compression from 'compression';
import express, { type Router } from 'express';
import { packedFiles } from './packed-files.ts';

/** The web app: files named by their content are kept for ever, the page itself is asked for each time. */
export const site = (folder: string): Router => {
  const page = path.join(path.resolve(folder), 'index.html');
  const router = express.Router();
  const assets = path.join(folder, 'assets');
  const forever = { immutable: true, maxAge: '365d' };
  router.use('/assets', packedFiles(assets, forever));
  router.use(compression());
  router.use('/assets', express.static(assets, { ...forever, fallthrough: false }));
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  router.get('/{*path}', (request, response, next) => {
    // A missing picture or script is missing; only a person's navigation gets the page.
    if (request.accepts('html') && !path.extname(request.path)) {
      response.set('Cache-Control', 'no-cache').sendFile(page);
    } else {
      next();
    }
  });
  return router;
};
