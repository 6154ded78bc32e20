import { PageHeader } from '../../ui/page-header.tsx';

export function Component() {
  return <PageHeader title="Add New Item for rent" />;
}
