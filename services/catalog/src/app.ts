import { routes as contract } from '@lendtools/contracts';
import { type BoundRoute, handle } from '@lendtools/service-kit';
import { deadLetterWork } from '@lendtools/service-runtime';
import { addCategory } from './categories/add-category/add-category.ts';
import { deleteCategory } from './categories/delete-category/delete-category.ts';
import { listCategories } from './categories/list-categories/list-categories.ts';
import { updateCategory } from './categories/update-category/update-category.ts';
import type { Deps } from './deps.ts';
import { exportData } from './owners/export-data/export-data.ts';
import { serveImage } from './pictures/serve-image/serve-image.ts';
import {
  allTools,
  ownTools,
  toolsNearYou,
  toolsOfCategory,
  toolsOfUser,
} from './search/list-tools/list-tools.ts';
import { priceRange } from './search/price-range/price-range.ts';
import { addTool } from './tools/add-tool/add-tool.ts';
import { deleteTool } from './tools/delete-tool/delete-tool.ts';
import { getTool } from './tools/get-tool/get-tool.ts';
import { listAllTools } from './tools/list-all-tools/list-all-tools.ts';
import { savedToolIds, savedTools, saveTool, unsaveTool } from './tools/save-tools/save-tools.ts';
import { showStats } from './tools/show-stats/show-stats.ts';
import { updateTool } from './tools/update-tool/update-tool.ts';

export const routes = (deps: Deps): BoundRoute[] => [
  allTools(deps),
  toolsOfCategory(deps),
  toolsNearYou(deps),
  ownTools(deps),
  toolsOfUser(deps),
  priceRange(deps),
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
  listAllTools(deps),
  handle(contract.workOfCatalog, async () => ({ work: [await deadLetterWork(deps)] })),
  serveImage(deps),
  exportData(deps),
];
