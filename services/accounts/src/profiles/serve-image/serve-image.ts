import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

export const serveImage = ({ images }: Deps) =>
  handle(routes.personImage, async ({ params, request, response }) => {
    await images.serve(params.name, response, request);
    return undefined;
  });
