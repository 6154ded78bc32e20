import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { CatalogDeps } from '../app.ts';

export const serveImage = ({ images }: CatalogDeps): BoundRoute =>
  handle(routes.toolImage, async ({ params, request, response }) => {
    await images.serve(params.name, response, request);
    return undefined;
  });
