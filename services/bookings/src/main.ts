import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startBookings } from './start-bookings.ts';

await runProcess(() => startBookings(readConfig(config, process.env)), process.env.FAULT);
