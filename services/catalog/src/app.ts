import type { BoundRoute } from '@lendtools/service-kit';
import { addCategory } from './add-category/add-category.ts';
import { addTool } from './add-tool/add-tool.ts';
import { deleteCategory } from './delete-category/delete-category.ts';
import { deleteTool } from './delete-tool/delete-tool.ts';
import type { Deps } from './deps.ts';
import { getTool } from './get-tool/get-tool.ts';
import { listCategories } from './list-categories/list-categories.ts';
import {
  allTools,
  ownTools,
  toolsNearYou,
  toolsOfCategory,
  toolsOfUser,
} from './list-tools/list-tools.ts';
import { savedToolIds, savedTools, saveTool, unsaveTool } from './save-tools/save-tools.ts';
import { serveImage } from './serve-image/serve-image.ts';
import { showStats } from './show-stats/show-stats.ts';
import { updateCategory } from './update-category/update-category.ts';
import { updateTool } from './update-tool/update-tool.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  allTools(deps),
  toolsOfCategory(deps),
  toolsNearYou(deps),
  ownTools(deps),
  toolsOfUser(deps),
  getTool(deps),
  savedTools(deps),
  savedToolIds(deps),
  saveTool(deps),
  unsaveTool(deps),
  addTool(deps),
  updateTool(deps),
  deleteTool(deps),
  listCategories(deps),
  addCategory(deps),
  updateCategory(deps),
  deleteCategory(deps),
  showStats(deps),
  serveImage(deps),
];
