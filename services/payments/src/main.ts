import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startPayments } from './start-payments.ts';

await runProcess(() => startPayments(readConfig(config, process.env)), process.env.FAULT);
