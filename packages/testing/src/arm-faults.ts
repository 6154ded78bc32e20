import { armFault } from '@lendtools/service-kit';

// Imported into a service's process by `serviceProcess`, before the service itself.
process.on('message', (fault: string) => {
  armFault(fault);
  process.send?.('armed');
});
