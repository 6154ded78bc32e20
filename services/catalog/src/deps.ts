import type { ImageStore, Pool } from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type { ToolLimits } from './domain/limits.ts';

export interface Deps extends ServiceDeps {
  pool: Pool;
  images: ImageStore;
  limits: ToolLimits;
  requireVerifiedEmail: boolean;
}
