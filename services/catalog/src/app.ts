import type { BoundRoute, ImageStore, Pool } from '@lendtools/service-kit';
import { addCategory } from './add-category/add-category.ts';
import { addTool } from './add-tool/add-tool.ts';
import { deleteCategory } from './delete-category/delete-category.ts';
import { deleteTool } from './delete-tool/delete-tool.ts';
import { getTool } from './get-tool/get-tool.ts';
import { allCategories } from './list-categories/list-categories.ts';
import { allTools, ownTools, toolsNearYou, toolsOfCategory } from './list-tools/list-tools.ts';
import { serveImage } from './serve-image/serve-image.ts';
import { showStats } from './show-stats/show-stats.ts';
import { changeCategory } from './update-category/update-category.ts';
import { changeTool } from './update-tool/update-tool.ts';

export interface CatalogDeps {
  pool: Pool;
  images: ImageStore;
}

/** Everything that catalog answers. */
export const routes = (deps: CatalogDeps): BoundRoute[] => [
  allTools(deps),
  toolsOfCategory(deps),
  toolsNearYou(deps),
  ownTools(deps),
  getTool(deps),
  addTool(deps),
  changeTool(deps),
  deleteTool(deps),
  allCategories(deps),
  addCategory(deps),
  changeCategory(deps),
  deleteCategory(deps),
  showStats(deps),
  serveImage(deps),
];
