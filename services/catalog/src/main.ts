import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startCatalog } from './start-catalog.ts';

await runProcess(() => startCatalog(readConfig(config, process.env)), process.env.FAULT);
