import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startGateway } from './start-gateway.ts';

await runProcess(() => startGateway(readConfig(config, process.env)), process.env.FAULT);
