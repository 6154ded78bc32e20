import { routes } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

export const serveImage = ({ images }: Deps): BoundRoute =>
  handle(routes.toolImage, async ({ params, request, response }) => {
    await images.serve(params.name, response, request);
    return undefined;
  });
