import path from 'node:path';
import compression from 'compression';
import express, { type Router } from 'express';

/** The web app: files named by their content are kept for ever, the page itself is asked for each time. */
export const site = (folder: string): Router => {
  const router = express.Router();
  router.use(compression());
  router.use(
    '/assets',
    express.static(path.join(folder, 'assets'), {
      immutable: true,
      maxAge: '365d',
      fallthrough: false,
    }),
  );
  router.use(express.static(folder, { index: false, maxAge: '1h' }));
  router.get('/*path', sendPage);
  router.get('/', sendPage);
  return router;

  function sendPage(
    request: express.Request,
    response: express.Response,
    next: express.NextFunction,
  ): void {
    // A missing picture or script is missing; only a person's navigation gets the page.
    if (!request.accepts('html') || path.extname(request.path)) return next();
    response
      .set('Cache-Control', 'no-cache')
      .sendFile(path.join(path.resolve(folder), 'index.html'));
  }
};
