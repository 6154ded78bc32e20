import { createRequire } from 'node:module';
import path from 'node:path';
import { endpoints, routes } from '@lendtools/contracts';
import express, { type Router } from 'express';
import { createOpenApi } from './openapi.ts';

const swaggerUi = path.dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>LendTools API</title>
<link rel="stylesheet" href="${endpoints.docs}/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="${endpoints.docs}/swagger-ui-bundle.js"></script>
<script src="${endpoints.docs}/start.js"></script>
</body>
</html>`;

const start = `SwaggerUIBundle({ url: '${endpoints.openApi}', dom_id: '#docs', deepLinking: true });`;

export const docsPage = (site: string): Router => {
  const router = express.Router();
  let document: string | undefined;
  router.get(endpoints.openApi, (_request, response) => {
    document ??= JSON.stringify(createOpenApi(routes, site));
    response.type('json').send(document);
  });
  router.get(endpoints.docs, (_request, response) => {
    response.type('html').send(page);
  });
  router.get(`${endpoints.docs}/start.js`, (_request, response) => {
    response.type('js').send(start);
  });
  // Serves only these files: the package's folder also contains a demo page.
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`${endpoints.docs}/${file}`, (_request, response) => {
      response.sendFile(file, { root: swaggerUi, maxAge: '1d' });
    });
  }
  return router;
};
